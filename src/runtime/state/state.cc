#include "runtime/state/state.h"

#include "base/large.h"

namespace snarl::runtime {

UnderWay under_way;

namespace engine {

wire::Layout* shared = nullptr;
SNARL_LARGE alignas(4096) char conductor_memory[sizeof(conduct::Conductor)];

}  // namespace engine
}  // namespace snarl::runtime
