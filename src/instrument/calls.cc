// Function entries and exits: points, if the level says so, and the shadow call stack.
#include "instrument/hooks.h"

namespace snarl::instrument {
namespace {

// longjmp leaves calls without a hook: frames above the one that runs now, on a stack that grows down, are gone.
SNARL_INLINE void forget_left(CallStack& stack, uint64_t frame) {
  if (stack.depth > stack.room) {
    if (stack.frames()[stack.room - 1].frame > frame) return;
    stack.depth = stack.room;
  }
  while (stack.depth > 0 && stack.frames()[stack.depth - 1].frame <= frame) --stack.depth;
}

SNARL_INLINE uint64_t own_frame() { return reinterpret_cast<uint64_t>(__builtin_frame_address(0)); }

}  // namespace

SNARL_TSAN void __tsan_func_entry(void* caller) {
  Block* b = block;
  if (SNARL_LIKELY(b == nullptr)) return;
  const auto from = reinterpret_cast<uint64_t>(caller);
  if (b->calls) {
    forget_left(*b->stack, own_frame());
    if (SNARL_UNLIKELY(b->stack->depth == b->stack->room)) b->deepen();
    CallStack& stack = *b->stack;
    if (stack.depth < stack.room) stack.frames()[stack.depth] = {from, own_frame()};
    ++stack.depth;
  }
  if (SNARL_UNLIKELY(b->functions)) b->function(SNARL_TSAN_PC, from);
}

SNARL_TSAN void __tsan_func_exit() {
  Block* b = block;
  if (SNARL_LIKELY(b == nullptr) || !b->calls) return;
  CallStack& stack = *b->stack;
  if (stack.depth > stack.room) {
    --stack.depth;
    return;
  }
  // The call that ends has this hook's own frame address, or a higher one if the compiler moved the stack pointer.
  while (stack.depth > 0 && stack.frames()[stack.depth - 1].frame < own_frame()) --stack.depth;
  if (stack.depth > 0) --stack.depth;
}

}  // namespace snarl::instrument
