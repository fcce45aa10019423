// A thread of a parallel run, and what it does at every point.
//
// The fast path of a point is a decrement and a few stores into lines that only this thread
// writes: steps are handed out in blocks, and the order of operations is recorded per thread
// by time stamps taken while the object is held.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"
#include "base/storage.h"
#include "conduct/fairness.h"
#include "conduct/load_watch.h"
#include "policy/policy.h"
#include "runtime/simulated/parallel_time.h"
#include "runtime/state/thread.h"
#include "schedule/event_words.h"
#include "schedule/operation.h"
#include "wire/layout.h"

namespace snarl::runtime::parallel {

struct alignas(64) Member {
  uint64_t left;        // points until arrive_slowly
  Step next, end;       // its block of step numbers: those not yet used
  uint64_t planned;     // `left` at the start: so many numbers are used up when it is 0
  Event* at;            // where the next step is recorded ...
  Event* full;          // ... unless it is this
  wire::Thread* entry;  // its entry in the wire; never null
  uint64_t last;        // time stamp of its last step
  bool low;
  bool undisturbed;  // low, and as long as it does not come to the desk nobody can become enabled
  bool counted;      // its step under way has a number
  bool lowers;       // it took its change step: lower_to is its rank from its next point on
  policy::Rank lower_to;
  bool away;  // it was left alone: at its next point it counts again

  conduct::Fairness fairness;  // at which of its points another thread has a step
  uint64_t passed;             // points that it has passed since that was drawn
  bool is_beyond;              // it has taken a step beyond those that were planned for

  // Guarded by the desk.
  Thread* thread;
  uint64_t object;  // what it is listed for; 0: not listed
  uint64_t then;    // listed for a condition variable: the mutex that it needs next
  uint32_t bits;    // listed for a futex: only wakes with one of them count
  Member *next_listed, *previous_listed;
  Member* next_opened;  // Desk::open
  bool outside;         // blocked in a call to the kernel
  Time deadline;        // blocked until then at most; kNever
  uint64_t patience;    // nanoseconds of the machine's clock after which the deadline comes early; 0: not early
  bool late;            // the deadline came
  Time first_look;      // blocked: when it is to look up, by the machine's clock; kNever: when it likes
  bool ended, detached;
  bool asked_to_end;  // by pthread_cancel
  bool ends_wait;     // ... which lets it go, if it is blocked
  uint32_t children;
  uint64_t name;

  uint64_t low_steps;  // Crew::low_steps() when it became enabled

  uint32_t rounds;          // of a loop that only waits, by yields or atomics
  uint64_t steps_at_round;  // that it had taken at the last one
  uint64_t last_atomic;     // place of its last point at one
  conduct::LoadWatch loads;
  Rng rng;  // of its pauses
};

extern Storage<Member, kMaxThreads> members;
inline Member& member_of(const Thread& self) { return members[self.id]; }

// The calling thread if its call is a point of a parallel run.
inline Thread* me() {
  Thread* self = current;
  return self != nullptr && self->inside == self->outermost ? self : nullptr;
}

void arrive_slowly(Thread& self);
void begin_step(Thread& self);
// The step under way began while others lived and is taken when none does any more: it has no number after all.
void give_number_back(Thread& self);
void take_chunk(Member& member);

// Draws at which of its points another thread has a step, from the next on.
void draw_fairness(Member& member, double chance);

// Its next point is looked at, whatever was planned.
inline void look_at_next(Member& member) {
  member.undisturbed = false;
  if (member.left < 2) return;
  member.planned -= member.left - 1;
  member.left = 1;
}

inline uint64_t time_stamp() {
  unsigned processor;
  return __builtin_ia32_rdtscp(&processor);  // after all that came before it
}

// Before all that comes after it; the processor may look earlier than at what came before, but
// then that has a time stamp of its own.
inline uint64_t time_stamp_before(const Member& member) {
  const uint64_t now = __builtin_ia32_rdtsc();  // two thirds of the time that the other takes
  return now > member.last ? now : member.last + 1;
}

// What parallel operations say of themselves.
inline void publish(Member& member, const Op& op) {
  Op& pending = member.entry->pending;
  __builtin_memcpy(static_cast<void*>(&pending), &op, offsetof(Op, object));
  pending.object = op.object;
  pending.value = op.value;
  pending.pc = op.pc;
}

// The point: publishes the operation; returns when the thread may take its step.
inline void arrive(Thread& self, const Op& op) {
  publish(member_of(self), op);
  if (__builtin_expect(--member_of(self).left == 0, 0)) arrive_slowly(self);
}
inline void arrive(Thread& self, OpKind kind, const void* object, uint64_t pc) {
  arrive(self, Op{.kind = kind, .object = reinterpret_cast<uint64_t>(object), .pc = pc});
}

inline void record(Member& member, uint64_t when, bool late = false) {
  const Op& pending = member.entry->pending;
  if (__builtin_expect(member.at == member.full, 0)) take_chunk(member);
  write_event(*member.at++, when, pending.object, 0, pending.pc,
              {.thread = member.entry->ordinal,
               .order = pending.order,
               .late = late,
               .size = static_cast<uint32_t>(pending.value),
               .kind = pending.kind,
               .after = pending.after});
  member.last = when;
  ++member.entry->steps;
}

// Records the step: after an operation that takes something ...
inline void note(Thread& self, bool late = false) { record(member_of(self), time_stamp(), late); }

// ... and before one that gives it away.
inline void note_giving(Thread& self) { record(member_of(self), time_stamp_before(member_of(self))); }

// The step just recorded happens only now.
inline void note_again(Thread& self) {
  Member& member = member_of(self);
  member.at[-1].step = member.last = time_stamp();
}

// The atomic operation just recorded was performed, and only now its order is known.
inline void note_order(Thread& self, MemoryOrder order) {
  Member& member = member_of(self);
  if (member.entry->steps != 0) member.at[-1].order = order;
}

// The point after an operation that enables others. Where nobody keeps the thread there, no time has passed.
inline void arrive_after(Thread& self, OpKind did, const void* object, uint64_t pc) {
  Member& member = member_of(self);
  publish(member, Op{.kind = OpKind::kAfter, .after = did, .object = reinterpret_cast<uint64_t>(object), .pc = pc});
  if (__builtin_expect(--member.left != 0, 1)) return record(member, member.last + 1);
  arrive_slowly(self);
  note(self);
}

}  // namespace snarl::runtime::parallel
