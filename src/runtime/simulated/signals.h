// Signals that the program sends to itself: delivered at an arrival of the thread they are for, as
// a step (docs/rules.md, rule 10). We only say when; the kernel runs the handler.
//
// A signal that the thread blocks is the kernel's at once: it is pending there, for sigwait or
// until it is unblocked. Calls come from the thread that has the turn, unless it says otherwise.
#pragma once

#include <signal.h>
#include <stdint.h>

#include "runtime/simulated/signal_lists.h"
#include "runtime/state/thread.h"

namespace snarl::runtime::signals {

// Have some come when no handler could run?
inline bool have_come() { return __atomic_load_n(&under_way.signals_came, __ATOMIC_ACQUIRE); }

// errno-style result. `target` is live.
int send(Thread& self, Thread& target, const siginfo_t& info);

// To the process.
int send_to_process(Thread& self, const siginfo_t& info);

// The same for a timer, which sends from inside the conductor: even the calling thread takes it as a
// step. True if a handler will run.
bool post(Thread& target, const siginfo_t& info);
bool post_to_process(const siginfo_t& info);

// The next signal of `self`, in the program's code: its handler runs. EINTR if that ends the
// interrupted wait, 0 if the wait goes on as it is. ERESTART if it begins anew, as in the kernel: the handler has
// SA_RESTART, or there is none any more, and what the thread waits for may have changed since it looked.
int deliver(Thread& self, Interrupts interrupts);

// The step that deliver() is about to be, for the trace: `object` is the signal.
Op handler_op(const Thread& self, const Op& interrupted);

// Signals from outside that came when no handler could run are sent again, to be delivered as a step.
[[gnu::cold]] void send_again();
inline void note_come() {
  if (__builtin_expect(have_come(), 0)) send_again();
}

// The kernel delivered `signal` to a thread that is in our code, or waits; called by that thread,
// with or without the turn.
void come(Thread& self, int signal);

// The signals that no thread would take now: all block them.
uint64_t blocked_by_all();

// May a handler run because of something that another process does?
bool may_come();
void expect_from_outside();  // the program has made another process

// On fibers: of the signals that were sent to the calling thread while it blocked them, those in `wanted` become the
// kernel's, which still has them blocked: the caller is about to wait for them, or to unblock them.
void give_held(Thread& self, uint64_t wanted);
uint64_t held(const Thread& self);

// The calling thread's mask is about to become this one.
void before_unblocking(Thread& self, uint64_t mask);

// While it lives, the thread blocks these signals instead (sigsuspend, ppoll). Those that are
// pending are handled at once.
class TemporaryMask {
 public:
  TemporaryMask(Thread& self, const sigset_t* mask);  // null: no other mask
  ~TemporaryMask();
  TemporaryMask(const TemporaryMask&) = delete;
  TemporaryMask& operator=(const TemporaryMask&) = delete;
  bool has_interrupted() const { return interrupted_; }

 private:
  bool used_, interrupted_ = false;
  uint64_t before_ = 0;
};

// hooks/signal_handlers.cc: what the program told sigaction.
bool has_handler(int signal);
void catch_traps();  // of the runtime's own int3 instructions, and after each instruction
// The fault was brought about by us, and the context goes on as it should.
bool is_own_fault(int signal, const siginfo_t& info, void* context);
// Takes out the signals by which our own traps and faults come: they kill who blocks them.
void keep_unblocked(sigset_t& mask);
bool restarts(int signal);
bool is_ignored(int signal);

}  // namespace snarl::runtime::signals
