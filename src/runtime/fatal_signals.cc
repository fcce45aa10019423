// Fatal signals: the process is about to die; say where every thread is, then let it die
// of the very signal, so that its parent sees what it would have seen without us.
#include <signal.h>
#include <ucontext.h>

#include "base/large.h"
#include "base/storage.h"
#include "runtime/ending.h"
#include "runtime/engine.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/signal_stacks.h"
#include "runtime/patch/apply.h"
#include "runtime/real.h"
#include "runtime/sanitizers.h"

namespace snarl {
namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// A stack overflow leaves no stack to handle it on; unwinding needs a few pages.
constexpr size_t kSignalStack = 32 * 1024;
struct SignalStack {
  char bytes[kSignalStack];
};
SNARL_LARGE Storage<SignalStack, kMaxThreads> stacks;

void on_fatal(int signal, siginfo_t* info, void* context) { note_fatal_signal(signal, info, context); }

}  // namespace

// SA_RESETHAND: a second fault (a smashed stack can't be walked) ends the process by itself,
// and so does the first one's instruction when it is executed again.
void note_fatal_signal(int signal, siginfo_t* info, void* context) {
  Thread* self = current;
  if (self == nullptr) return;
  wire::State& state = engine::shared->state;
  greg_t& pc = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const greg_t real_pc = pc;
  pc = static_cast<greg_t>(patch::original(static_cast<uint64_t>(pc)));  // also for the unwinder
  ++self->inside;
  state.signal = signal;
  state.failing_thread = self->ordinal;
  state.fault_address = reinterpret_cast<uint64_t>(info->si_addr);
  state.fault_pc = static_cast<uint64_t>(pc);
  write_threads(*self);
  pc = real_pc;
  if (info->si_code <= 0) raise(signal);  // sent, not caused by an instruction: send it again
}

void note_own_kill(Thread& self, uint64_t pc) {
  ++self.inside;
  wire::State& state = engine::shared->state;
  state.signal = SIGKILL;
  state.failing_thread = self.ordinal;
  state.fault_pc = pc;  // where the stack begins; it is no faulting instruction
  write_threads(self);
  state.fault_pc = 0;
  state.outcome = OutcomeKind::kSignal;
  --self.inside;
}

void catch_fatal_signals() {
  for (int signal : kFatal) {
    struct sigaction old = {};
    real().sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_DFL) continue;  // the program's, or a sanitizer's, own
    struct sigaction ours = {};
    ours.sa_sigaction = on_fatal;
    ours.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    real().sigaction(signal, &ours, nullptr);
  }
}

// ASan brings signal stacks of its own, and unmaps whatever it finds in their place.
bool gives_signal_stacks() { return !has_asan(); }

stack_t signal_stack_of(const Thread& self) {
  return {.ss_sp = stacks[self.id].bytes, .ss_flags = 0, .ss_size = kSignalStack};
}

void give_signal_stack(const Thread& self) {
  if (!gives_signal_stacks()) return;
  stack_t stack = {};
  real().sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) == 0) return;  // it has one already
  stack = signal_stack_of(self);
  if (fibers::on) stack.ss_flags |= fiber::kAutoDisarm;
  real().sigaltstack(&stack, nullptr);
}

}  // namespace snarl
