// The program's signal handlers. The kernel calls ours, which lets the program's run where it may.
#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/signal_stacks.h"
#include "runtime/patch/apply.h"
#include "runtime/patch/rounds.h"
#include "runtime/patch/stepping.h"
#include "runtime/platform/raw.h"
#include "runtime/run/fatal_signals.h"
#include "runtime/simulated/signals.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/hook.h"
#include "runtime/state/turn.h"
#include "runtime/trace/careful_read.h"

namespace snarl::runtime {
namespace {

constexpr int kSignals = 65;  // 1 to 64

using Handler = void (*)(int, siginfo_t*, void*);

struct Registered {
  struct sigaction action;  // as the program gave it
  bool ours;                // on_signal stands in for it
};
SNARL_LARGE Registered registered[kSignals];
SNARL_PROCESS_STATE bool traps_are_caught = false;

bool is_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// Caused by the thread's own instruction or call: it can't go on before the handler has run.
bool is_immediate(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT:
    case SIGPIPE:
    case SIGXFSZ: return true;
    default: return false;
  }
}

// In the program's code, with the turn: also when the signal is delivered as a step, and when the
// program has just unblocked or raised it. In a parallel run, whenever the kernel likes.
bool may_run(const Thread& self) { return runs_in_parallel() || (self.inside == 0 && turn::holder() == self.id); }

void run(int signal, siginfo_t* info, void* context) {
  const Registered entry = registered[signal];
  if ((entry.action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    const struct sigaction plain = {};
    real().sigaction(signal, &plain, nullptr);
    registered[signal].ours = false;
  }
  reinterpret_cast<Handler>(entry.action.sa_sigaction)(signal, info, context);
}

// That the thread had before the handler, and has after it.
uint64_t mask_in(const void* context) {
  uint64_t mask;
  raw::copy(&mask, &static_cast<const ucontext_t*>(context)->uc_sigmask, sizeof mask);
  return mask;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (is_immediate(signal) && signals::is_own_fault(signal, *info, context)) return;
  const int error = errno;
  Thread* self = current;
  if (self != nullptr && !is_immediate(signal) && !may_run(*self)) {
    signals::come(*self, signal);
  } else {
    if (self != nullptr) {
      if (under_way.on_fibers)
        fiber::let_masks_differ(mask_in(context));  // the kernel blocks what the handler wants blocked
      ++self->handlers_run;
      self->blocked_signals &= ~signals::bit_of(signal);
      if (may_run(*self)) timers::taken(signal);
    }
    run(signal, info, context);
    if (self != nullptr) signals::give_held(*self, ~mask_in(context));  // what came meanwhile, as the mask is put back
  }
  errno = error;
}

// A trap that stands for a jump (runtime/patch), or comes after each instruction; the program's own, and nobody's, come
// here as well.
void on_trap(int signal, siginfo_t* info, void* context) {
  if (patch::rounds::on_trap(*info, context) || patch::stepping::on_trap(*info, context)) return;
  greg_t& pc = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  if (const uint64_t target = patch::trap_target(signal, static_cast<uint64_t>(pc))) {
    pc = static_cast<greg_t>(target);
    return;
  }
  if (registered[signal].ours) return on_signal(signal, info, context);
  const struct sigaction plain = {};
  real().sigaction(signal, &plain, nullptr);
  note_fatal_signal(signal, info, context);
}

bool is_taken_by_traps(int signal) {
  return traps_are_caught && (signal == SIGTRAP || (signal == SIGILL && patch::traps_are_illegal()));
}

int set(int signal, const struct sigaction& action) {
  struct sigaction ours = action;
  signals::keep_unblocked(ours.sa_mask);
  if (is_taken_by_traps(signal)) {
    registered[signal] = {action, is_function(action)};
    return 0;
  }
  if (is_function(action)) {
    ours.sa_sigaction = on_signal;
    ours.sa_flags = (action.sa_flags | SA_SIGINFO) & ~static_cast<int>(SA_RESETHAND);
    if (signal == SIGSEGV && patch::stepping::is_on()) ours.sa_flags |= SA_NODEFER;
  }
  const Registered before = registered[signal];
  registered[signal] = {action, is_function(action)};
  const int result = real().sigaction(signal, &ours, nullptr);
  if (result != 0) registered[signal] = before;
  const bool on_stack = is_function(action) && (action.sa_flags & SA_ONSTACK) != 0;
  if (on_stack && !is_immediate(signal)) fiber::note_handler_on_stack();
  return result;
}

}  // namespace

namespace signals {

// A careful read's, or that of a thread that comes to code that is stepped.
bool is_own_fault(int signal, const siginfo_t& info, void* context) {
  return careful::recovers(context) || (signal == SIGSEGV && patch::stepping::on_fault(info, context));
}

void keep_unblocked(sigset_t& mask) {
  sigdelset(&mask, SIGTRAP);
  if (patch::traps_are_illegal()) sigdelset(&mask, SIGILL);
  if (patch::stepping::is_on()) sigdelset(&mask, SIGSEGV);
}

void catch_traps() {
  traps_are_caught = true;
  struct sigaction ours = {};
  ours.sa_sigaction = on_trap;
  ours.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  real().sigaction(SIGTRAP, &ours, nullptr);
  if (patch::traps_are_illegal()) real().sigaction(SIGILL, &ours, nullptr);
}

bool restarts(int signal) { return (registered[signal].action.sa_flags & SA_RESTART) != 0; }

bool is_ignored(int signal) {
  struct sigaction action = {};
  real().sigaction(signal, nullptr, &action);
  const bool by_default = signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
  return action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && by_default);
}

// Ours for fatal signals included.
bool has_handler(int signal) {
  struct sigaction action = {};
  real().sigaction(signal, nullptr, &action);
  return is_function(action);
}

}  // namespace signals

SNARL_HOOK int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (engine::shared == nullptr || signal <= 0 || signal >= kSignals) return real().sigaction(signal, action, old);
  const Registered before = registered[signal];
  const struct sigaction wanted = action == nullptr ? (struct sigaction){} : *action;  // `old` may be the same
  if (old != nullptr && real().sigaction(signal, nullptr, old) != 0) return -1;
  if (old != nullptr && before.ours) *old = before.action;
  return action == nullptr ? real().sigaction(signal, nullptr, nullptr) : set(signal, wanted);
}

SNARL_HOOK sighandler_t signal(int signal, sighandler_t handler) noexcept {
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaddset(&action.sa_mask, signal);
  return handler == SIG_ERR || sigaction(signal, &action, &old) != 0 ? SIG_ERR : old.sa_handler;
}

}  // namespace snarl::runtime
