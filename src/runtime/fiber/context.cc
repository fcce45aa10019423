#include "runtime/fiber/context.h"

#include <stdlib.h>
#include <sys/auxv.h>

#include "base/state_marks.h"

namespace snarl::runtime::fiber {

SNARL_PROCESS_STATE uint32_t writes_fs = 0;

void find_fs_access() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  const bool allowed =
      (getauxval(AT_HWCAP2) & kFsGsBase) != 0 && getenv("SNARL_RT_ASK_KERNEL") == nullptr;  // for tests
  writes_fs = allowed ? 1 : 0;
}

}  // namespace snarl::runtime::fiber
