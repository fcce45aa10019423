// Static variables of functions: who finds one made has acquired what its maker released. The compiler tells of the
// first look at the guard, which is an atomic load; what follows is libstdc++'s. Called from code that was linked with
// the hooks (--wrap, as memory_functions.cc), and taken from the archive only by programs that have such variables.
#include "instrument/hooks.h"

extern "C" {
int __real___cxa_guard_acquire(uint64_t* guard);
void __real___cxa_guard_release(uint64_t* guard);
}

namespace snarl::instrument {

// 0: somebody else has made it.
SNARL_TSAN int __wrap___cxa_guard_acquire(uint64_t* guard) {
  const int is_ours = __real___cxa_guard_acquire(guard);
  if (is_ours == 0) performed(OpKind::kAtomicLoad, __ATOMIC_ACQUIRE, SNARL_TSAN_PC, guard, 1);
  return is_ours;
}

SNARL_TSAN void __wrap___cxa_guard_release(uint64_t* guard) {
  performed(OpKind::kAtomicStore, __ATOMIC_RELEASE, SNARL_TSAN_PC, guard, 1);
  __real___cxa_guard_release(guard);
}

}  // namespace snarl::instrument
