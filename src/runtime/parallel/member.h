// A thread of a parallel run, and what it does at every point.
//
// The fast path of a point is a decrement and a few stores into lines that only this thread
// writes: steps are handed out in blocks, and the order of operations is recorded per thread
// by time stamps taken while the object is held.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"
#include "policy/policy.h"
#include "runtime/parallel/time.h"
#include "runtime/thread.h"
#include "schedule/operation.h"
#include "wire/layout.h"

namespace snarl::parallel {

struct alignas(64) Member {
  uint64_t left;            // points until arrive_slowly
  Step next, end;           // its block of step numbers: those not yet used
  uint64_t planned;         // `left` at the start: so many numbers are used up when it is 0
  wire::Happened* at;       // where the next step is recorded ...
  wire::Happened* full;     // ... unless it is this
  wire::Thread* entry;      // its entry in the wire; never null
  bool low;
  bool lowers;              // it took its change step: lower_to is its rank from its next point on
  Rank lower_to;

  // Guarded by the desk.
  Thread* thread;
  uint64_t object;          // what it is listed for; 0: not listed
  uint64_t then;            // listed for a condition variable: the mutex that it needs next
  Member *next_listed, *previous_listed;
  Member* next_opened;      // Desk::open
  bool outside;             // blocked in a call to the kernel
  Time deadline;            // blocked until then at most; kNever
  uint64_t patience;        // nanoseconds of the machine's clock after which the deadline comes early; 0: not early
  bool late;                // the deadline came
  bool ended, detached;
  uint32_t children;
  uint64_t name;

  uint64_t low_steps;       // Crew::low_steps() when it became enabled

  uint32_t idle_yields;     // every so many of them it gives way
  uint32_t rounds;          // of loops that wait by atomics
  uint64_t last_atomic;     // place of its last point at one
  Rng rng;                  // of its pauses
};

Member& member_of(const Thread& self);

// The calling thread if its call is a point of a parallel run.
inline Thread* me() {
  Thread* self = current;
  return self != nullptr && self->inside == self->outermost ? self : nullptr;
}

void arrive_slowly(Thread& self);
void begin_step(Thread& self);
void take_chunk(Member& member);

inline uint64_t time_stamp() {
  unsigned processor;
  return __builtin_ia32_rdtscp(&processor);  // after all that came before it
}

inline void publish(Member& member, OpKind kind, const void* object, uint64_t pc) {
  Op& pending = member.entry->pending;
  pending.kind = kind;
  pending.object = reinterpret_cast<uint64_t>(object);
  pending.pc = pc;
}

// The point: publishes the operation; returns when the thread may take its step.
inline void arrive(Thread& self, OpKind kind, const void* object, uint64_t pc) {
  Member& member = member_of(self);
  publish(member, kind, object, pc);
  if (__builtin_expect(--member.left == 0, 0)) arrive_slowly(self);
}

// Records the step: after an operation that takes something, before one that gives it away.
inline void note(Thread& self, bool late = false) {
  Member& member = member_of(self);
  const Op& pending = member.entry->pending;
  if (__builtin_expect(member.at == member.full, 0)) take_chunk(member);
  *member.at++ = {time_stamp(), wire::Happened::of(pending.kind, pending.pc, late)};
  ++member.entry->steps;
}

// The step just recorded happens only now.
inline void note_again(Thread& self) { member_of(self).at[-1].when = time_stamp(); }

// The point after an operation that enables others.
inline void arrive_after(Thread& self, OpKind did, const void* object, uint64_t pc) {
  member_of(self).entry->pending.after = did;
  arrive(self, OpKind::kAfter, object, pc);
  note(self);
}

}  // namespace snarl::parallel
