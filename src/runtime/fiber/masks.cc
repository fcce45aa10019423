#include "runtime/fiber/masks.h"

#include <signal.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/signal_stacks.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::fiber {

SNARL_RUN_STATE bool masks_differ = false;

void let_masks_differ(uint64_t common) {
  if (masks_differ) return;
  masks_differ = true;
  engine::conductor().model().live().for_each([common](ThreadId t) { thread_at(t).fiber->mask = common; });
}

uint64_t own_mask() {
  uint64_t mask = 0;
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, sizeof mask);
  return mask;
}

uint64_t mask_of(const Thread& thread) {
  return masks_differ && thread.fiber != fibers::running ? thread.fiber->mask : own_mask();
}

// Handlers, siglongjmp and libc's own calls change it too: the kernel says what it was.
void swap_masks(Fiber& from, const Fiber& to) {
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &to.mask, &from.mask, sizeof from.mask);
  if (stacks_differ) raw::call(SYS_sigaltstack, &to.signal_stack, &from.signal_stack);
}

}  // namespace snarl::runtime::fiber
