#include "runtime/state/freed_key.h"

#include "base/state_marks.h"

namespace snarl::runtime {

SNARL_PROCESS_STATE uint64_t freed_key = 0;

}  // namespace snarl::runtime
