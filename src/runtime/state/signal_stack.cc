#include "runtime/state/signal_stack.h"

#include "base/large.h"
#include "base/storage.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/sanitizer_runtimes.h"

namespace snarl::runtime {
namespace {

constexpr size_t kSignalStack = 32 * 1024;  // unwinding needs a few pages
struct SignalStack {
  char bytes[kSignalStack];
};
SNARL_LARGE Storage<SignalStack, kMaxThreads> stacks;

}  // namespace

bool gives_signal_stacks() { return !has_asan(); }

stack_t signal_stack_of(const Thread& self) {
  return {.ss_sp = stacks[self.id].bytes, .ss_flags = 0, .ss_size = kSignalStack};
}

// Not by libc: reset rewind would be told of the call, which takes longer than a short run.
void give_signal_stack(const Thread& self) {
  if (!gives_signal_stacks()) return;
  stack_t stack = {};
  raw::call(SYS_sigaltstack, 0, &stack);
  if ((stack.ss_flags & SS_DISABLE) == 0) return;  // it has one already
  stack = signal_stack_of(self);
  if (under_way.on_fibers) stack.ss_flags |= kAutoDisarm;
  raw::call(SYS_sigaltstack, &stack, 0);
}

}  // namespace snarl::runtime
