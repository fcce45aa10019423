// What the runtime keeps for each thread of the tested program.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "base/ids.h"

namespace snarl {

struct TlsDestructor {
  void (*call)(void*);
  void* object;
  TlsDestructor* next;
};

struct Thread;

// What a thread waits for (runtime/readiness.h).
struct Readiness {
  int fd = -1;  // `events` of poll(2) on it; negative: whatever `ready` says
  short events = 0;
  bool (*ready)(const Readiness&) = nullptr;
  const void* data = nullptr;
};

struct Thread {
  ThreadId id;
  uint32_t ordinal;
  uint32_t gate;             // runtime/gates.h
  uint32_t inside;           // > outermost: in our code, or in code whose calls are no points
  uint32_t outermost;        // `inside` in the program's own code: 0, or 1 in a parallel run, whose points are not ours
  uint64_t caller;           // place of the last call that was no point of ours (parallel runs)
  bool joinable_handle;      // `handle` names this thread (not detached and ended, not joined)
  int tid;
  pthread_t handle;
  void* (*routine)(void*);
  void* argument;
  void* result;
  const Readiness* awaits;   // what its call to the kernel waits for
  uint64_t signals;          // sent to it by pthread_kill and not yet taken by sigwait; bit s-1
  bool is_back;              // the turn was taken from it, and it has reached a point since
  Readiness comes_back;      // waits for that
  void (*once_routine)();    // of the innermost pthread_once under way
  TlsDestructor* destructors;  // newest first
};

// The calling thread's record; null in threads that we do not control, and everywhere
// while no run is under way. initial-exec: one instruction, no call into the loader.
extern constinit thread_local Thread* current __attribute__((tls_model("initial-exec"), visibility("hidden")));

// The calling thread if its call is to be a schedule point: ours, and the outermost
// interposed call (spec 0, rule 9).
__attribute__((always_inline)) inline Thread* at_point() {
  Thread* self = current;
  if (self == nullptr || self->inside == 0) return self;
  self->caller = reinterpret_cast<uint64_t>(__builtin_return_address(0));  // of the hook that this is inlined in
  return nullptr;
}

// Marks the calling thread as inside our code; its calls are no points until this ends.
class Inside {
 public:
  explicit Inside(Thread& self) : self_(self) { ++self_.inside; }
  ~Inside() { --self_.inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Thread& self_;
};

// The opposite: the program's own code, called back by us. Its calls are points again.
class Callback {
 public:
  explicit Callback(Thread& self) : self_(self), inside_(self.inside) { self_.inside = self.outermost; }
  ~Callback() { self_.inside = inside_; }
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

// A clean record for a new thread in that slot.
Thread& make_thread(ThreadId id, uint32_t ordinal);

}  // namespace snarl
