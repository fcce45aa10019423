#include "runtime/state/state.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/state/watcher.h"

namespace snarl::runtime {

SNARL_RUN_STATE UnderWay under_way;

namespace watcher {

SNARL_PROCESS_STATE void (*begin)(const Patience& patience) = nullptr;

}  // namespace watcher

namespace engine {

SNARL_PROCESS_STATE wire::Layout* shared = nullptr;
alignas(4096) SNARL_LARGE char conductor_memory[sizeof(conduct::Conductor)];

}  // namespace engine
}  // namespace snarl::runtime
