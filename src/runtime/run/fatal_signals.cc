#include "runtime/run/fatal_signals.h"

#include <signal.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "runtime/patch/room.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/run/ending.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/refuse.h"
#include "runtime/state/state.h"
#include "runtime/trace/careful_read.h"

namespace snarl::runtime {
namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// The instruction itself could not be fetched: a call or jump to where no code is, as through a null pointer.
bool is_jump_to_nowhere(int signal, const siginfo_t& info, uint64_t pc) {
  return (signal == SIGSEGV || signal == SIGBUS) && info.si_code > 0 && reinterpret_cast<uint64_t>(info.si_addr) == pc;
}

// There is nothing to unwind from there: the caller is, whose address the call has left on the stack. The kernel reads
// it for us, wherever the stack pointer points. One less than the return address, as that may be another line's.
void step_back_to_caller(greg_t (&registers)[NGREG]) {
  uint64_t return_address = 0;
  iovec to{&return_address, sizeof return_address};
  iovec from{reinterpret_cast<void*>(registers[REG_RSP]), sizeof return_address};
  if (raw::call(SYS_process_vm_readv, raw::call(SYS_getpid), &to, 1, &from, 1, 0) != sizeof return_address) return;
  registers[REG_RIP] = static_cast<greg_t>(return_address - 1);
  registers[REG_RSP] += static_cast<greg_t>(sizeof return_address);
}

// The report is made of a copy's run.
[[noreturn]] void end_rewound(int signal) {
  wire::State& state = engine::shared->state;
  state.signal = signal;
  if (state.outcome != OutcomeKind::kAssert) state.outcome = OutcomeKind::kSignal;
  end_process();
}

// A second fault (a smashed stack can't be walked) ends the process by itself, and so does the first one's instruction
// when it is executed again.
void on_fatal(int signal, siginfo_t* info, void* context) {
  if (signals::is_own_fault(signal, *info, context)) return;
  if (takes_over != nullptr && current != nullptr) end_rewound(signal);
  const struct sigaction plain = {};
  real().sigaction(signal, &plain, nullptr);
  note_fatal_signal(signal, info, context);
}

}  // namespace

void note_fatal_signal(int signal, siginfo_t* info, void* context) {
  Thread* self = current;
  if (self == nullptr) return;
  wire::State& state = engine::shared->state;
  greg_t(&registers)[NGREG] = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const greg_t real_pc = registers[REG_RIP], real_sp = registers[REG_RSP];
  const auto pc = static_cast<uint64_t>(real_pc);
  registers[REG_RIP] = static_cast<greg_t>(patch::original(pc));  // also for the unwinder
  if (is_jump_to_nowhere(signal, *info, pc)) step_back_to_caller(registers);
  ++self->inside;
  state.signal = signal;
  state.failing_thread = self->ordinal;
  state.fault_address = reinterpret_cast<uint64_t>(info->si_addr);
  state.fault_pc = static_cast<uint64_t>(registers[REG_RIP]);
  write_threads(*self);
  registers[REG_RIP] = real_pc;
  registers[REG_RSP] = real_sp;
  // Sent, not caused by an instruction that is executed again: send it again. A trap comes after its instruction.
  if (info->si_code <= 0 || signal == SIGTRAP) raise(signal);
}

void note_own_kill(Thread& self, uint64_t pc) {
  ++self.inside;
  wire::State& state = engine::shared->state;
  state.signal = SIGKILL;
  state.failing_thread = self.ordinal;
  state.fault_pc = pc;  // where the stack begins; it is not a faulting instruction
  write_threads(self);
  state.fault_pc = 0;
  state.outcome = OutcomeKind::kSignal;
  --self.inside;
}

void catch_fatal_signals() {
  bool faults_are_ours = true;
  for (int signal : kFatal) {
    struct sigaction old = {};
    real().sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_DFL) {  // the program's, or a sanitizer's, own
      faults_are_ours &= signal != SIGSEGV && signal != SIGBUS;
      continue;
    }
    struct sigaction ours = {};
    ours.sa_sigaction = on_fatal;
    ours.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
    real().sigaction(signal, &ours, nullptr);
  }
  if (faults_are_ours) careful::faults_come_here();
}

}  // namespace snarl::runtime
