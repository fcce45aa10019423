#include "runtime/fiber/signal_stacks.h"

#include <errno.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/masks.h"
#include "runtime/platform/raw.h"
#include "runtime/state/hook.h"
#include "runtime/state/signal_stack.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace fiber {

SNARL_RUN_STATE bool stacks_differ = false;

namespace {

SNARL_PROCESS_STATE bool handlers_on_stack = false;

// As the kernel is to have it. Without one of the program's own: ours, for fatal signals.
void settle(Fiber& fiber) {
  fiber.signal_stack = fiber.own_stack.ss_sp != nullptr ? fiber.own_stack : signal_stack_of(*fiber.thread);
  fiber.signal_stack.ss_flags |= kAutoDisarm;
}

void let_stacks_differ() {
  if (stacks_differ) return;
  let_masks_differ(own_mask());
  stacks_differ = true;
  engine::conductor().model().live().for_each([](ThreadId t) { settle(*thread_at(t).fiber); });
  raw::call(SYS_sigaltstack, &fibers::running->signal_stack, 0);
}

bool is_on(const stack_t& stack, const void* frame) {
  const auto at = address_of(frame), begin = address_of(stack.ss_sp);
  return stack.ss_sp != nullptr && at >= begin && at < begin + stack.ss_size;
}

// The calling fiber's; in a handler that runs on one of ours the kernel has none just now, and gets it back by itself.
void apply(Fiber& fiber) {
  settle(fiber);
  if (stacks_differ || fibers::is_carrier(fiber)) raw::call(SYS_sigaltstack, &fiber.signal_stack, 0);
}

int set(Fiber& fiber, const stack_t& wanted, bool on_it) {
  const int mode = wanted.ss_flags & ~kAutoDisarm;
  if (on_it) return EPERM;
  if (mode != 0 && mode != SS_DISABLE && mode != SS_ONSTACK) return EINVAL;
  if (mode != SS_DISABLE && wanted.ss_size < static_cast<size_t>(MINSIGSTKSZ)) return ENOMEM;
  fiber.own_stack = mode == SS_DISABLE ? stack_t{} : wanted;
  apply(fiber);
  return 0;
}

stack_t shown(const Fiber& fiber, bool on_it) {
  stack_t stack = fiber.own_stack;
  stack.ss_flags = stack.ss_sp == nullptr ? SS_DISABLE : on_it ? SS_ONSTACK : 0;
  return stack;
}

}  // namespace

void note_handler_on_stack() {
  handlers_on_stack = true;
  if (under_way.on_fibers && current != nullptr) let_stacks_differ();
}

// A constructor may have given main one.
void begin_signal_stacks() {
  stacks_differ = false;
  if (!handlers_on_stack) return;
  Fiber& main = *fibers::running;
  raw::call(SYS_sigaltstack, 0, &main.own_stack);
  if ((main.own_stack.ss_flags & SS_DISABLE) != 0) main.own_stack = {};
  settle(main);
  let_stacks_differ();
}

void forget_signal_stack(Fiber& fiber) {
  fiber.own_stack = {};
  if (stacks_differ) settle(fiber);
}

}  // namespace fiber

SNARL_HOOK int sigaltstack(const stack_t* wanted, stack_t* old) noexcept {
  if (!under_way.on_fibers || current == nullptr || !gives_signal_stacks()) return real().sigaltstack(wanted, old);
  Fiber& fiber = *current->fiber;
  const bool on_it = fiber::is_on(fiber.own_stack, __builtin_frame_address(0));
  const stack_t before = fiber::shown(fiber, on_it);
  if (const int error = wanted == nullptr ? 0 : fiber::set(fiber, *wanted, on_it)) {
    errno = error;
    return -1;
  }
  if (old != nullptr) *old = before;
  return 0;
}

}  // namespace snarl::runtime
