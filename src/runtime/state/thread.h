// What the runtime keeps for each thread of the tested program.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"
#include "runtime/state/quiet.h"
#include "schedule/operation.h"

namespace snarl::runtime {

struct TlsDestructor {
  void (*call)(void*);
  void* object;
  TlsDestructor* next;
};

struct Thread;
struct Fiber;

// What a thread waits for (runtime/simulated/outside.h).
struct Readiness {
  int fd = -1;  // `events` of poll(2) on it; negative: whatever `ready` says
  short events = 0;
  bool (*ready)(const Readiness&) = nullptr;
  const void* data = nullptr;
  Interrupts interrupts = Interrupts::kUnlessRestart;
  bool own = false;  // only what the program does to itself brings it about, as long as it has no children
};

struct Thread {
  ThreadId id;
  uint32_t ordinal;
  uint32_t gate;           // runtime/gate/gates.h
  Fiber* fiber;            // runtime/fiber, where it lives; null on gates
  bool in_conductor;       // runtime/state/turn.h, written by itself
  uint32_t claim;          // runtime/state/turn.h: somebody wants to take its turn away
  bool cancel_off;         // no cancellation point acts: disabled, or the thread is ending already
  bool cancel_anywhere;    // every schedule point is a cancellation point (the asynchronous type)
  uint32_t inside;         // > outermost: in our code, or in code whose calls are not points
  uint32_t outermost;      // `inside` in the program's own code: 0, or 1 in a parallel run, whose points are not ours
  uint64_t uninterrupted;  // a lock of the program's own is at work while the stack is below this; 0: none is
  uint64_t caller;         // place of the last call that was no point of ours (parallel runs)
  bool joinable_handle;    // `handle` names this thread (not detached and ended, not joined)
  int tid;
  pthread_t handle;
  void* (*live)(Thread&);  // what it runs from its start step to its exit step (run/lifecycle.h)
  void* (*routine)(void*);
  void* argument;
  void* result;
  const Readiness* awaits;  // what its call to the kernel waits for
  // Signals (runtime/simulated/signals.h); in sets, bit s-1 is signal s.
  uint64_t blocked_signals;  // sent to it while it blocks them, and neither handled nor taken by sigwait
  uint64_t come_signals;     // that the kernel delivered when no handler could run
  uint16_t sent_signals;     // list of those that are to be delivered
  uint16_t held_signals;     // on fibers: list of those that it blocks, until it takes or unblocks them
  uint32_t handlers_run;
  bool was_sent_to;            // by another thread of the program, since it last slept in pause()
  uint64_t far_deadline;       // the last that it set far ahead (Model::is_far)
  uint64_t stopped_at;         // while it gives way to the watchdog: where it was, as a return address; else 0
  bool is_back;                // the turn was taken from it, and it has reached a point since
  Readiness comes_back;        // waits for that
  void (*once_routine)();      // of the innermost pthread_once under way
  TlsDestructor* destructors;  // newest first
  char name[16];               // on fibers, as pthread_setname_np gave it or its creator had it
  bool has_random;             // `random` was made: few threads draw
  Rng random{Rng::Later()};    // what the program draws (runtime/simulated/randomness.h)
};

// The calling thread's record; null in threads that we do not control, and everywhere
// while no run is under way. initial-exec: one instruction, no call into the loader.
extern constinit thread_local Thread* current __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Is the run under way a parallel one (parallel/run.h)? In this process: false in copies that the program makes of
// itself.
inline bool runs_in_parallel() { return under_way.in_parallel && current != nullptr; }

// The calling thread if its call is to be a schedule point: ours, and the outermost
// interposed call (docs/rules.md, rule 9). `pc` is the place of the program's call.
__attribute__((always_inline)) inline Thread* at_point(uint64_t pc) {
  Thread* self = current;
  if (self == nullptr || self->inside == 0) return self;
  self->caller = pc;
  return nullptr;
}

// The same in a hook itself: this is inlined into it.
__attribute__((always_inline)) inline Thread* at_point() {
  return at_point(reinterpret_cast<uint64_t>(__builtin_return_address(0)));
}

// Marks the calling thread as inside our code; its calls are not points until this ends.
class Inside {
 public:
  [[gnu::always_inline]] explicit Inside(Thread& self) : self_(self) {
    if (__builtin_expect(self_.inside++ == 0, 1)) quiet::stop(self_);
  }
  [[gnu::always_inline]] ~Inside() {
    if (__builtin_expect(--self_.inside == 0, 1)) quiet::go(self_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Thread& self_;
};

// The opposite: the program's own code, called back by us. Its calls are points again.
class Callback {
 public:
  explicit Callback(Thread& self) : self_(self), inside_(self.inside) {
    self_.inside = self.outermost;
    quiet::go(self_);
  }
  ~Callback() {
    quiet::stop(self_);
    self_.inside = inside_;
  }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

 private:
  Thread& self_;
  uint32_t inside_;
};

// By slot.
Thread& thread_at(ThreadId id);

// The thread of that handle, or null.
Thread* thread_of(pthread_t handle);
Thread* thread_with_tid(int tid);
// The thread that had that handle and was joined, while its slot has not been used again; or null.
Thread* past_thread_of(pthread_t handle);

// A clean record for a new thread in that slot.
Thread& make_thread(ThreadId id, uint32_t ordinal);

}  // namespace snarl::runtime
