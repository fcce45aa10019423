// A hash of a run's partial order: which of its steps happened before which, by the order of each thread's own steps
// and by conflicts. Runs that differ only in the order of steps that do not conflict have the same hash, and runs that
// differ in more have another (Mazurkiewicz: traces of concurrent processes, 1977).
//
// An event is a step that may conflict with steps of other threads. Its hash is made of its thread's event before, of
// how many steps the thread had taken, of its kind and result, and of the events that it conflicts with: the last write
// of its object and, if it writes, the reads since then. The hash of the run is the sum over its events. Conflicts:
//
//   1. Two accesses to one object (schedule/access.h), at least one of which writes. Giving a lock back is a write, or
//   a
//      read if a reader does so: whether an attempt to take it fails depends on it. An attempt at a lock that fails
//      reads, and so does the second half of a barrier wait.
//   2. Creating a thread comes before all that the thread does; its exit conflicts with joins, also those that only
//      try. A signal or a request to end conflicts with all steps of its target.
//   3. A timer that fires conflicts with all steps: which deadline may come depends on all threads that wait for one.
//   4. Calls that wait for something outside, and what makes or ends processes, conflict with each other. So do
//      readings of the clock, and those with the beginning of each timed wait.
//
// An object in a loaded file has a name, its place there. Any other object has none: which one an event is about
// follows from what happened before it. Neither depends on which thread came to the object first.
//
// Pure. Calls come from the thread that has the turn, after the step.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "conduct/object_names.h"
#include "schedule/operation.h"
#include "schedule/slot.h"

namespace snarl::conduct {

class PartialOrder {
 public:
  static constexpr uint32_t kMostObjects = 1 << 13;  // of one run; one that uses more has no hash

  // `sum`: where the hash is kept; it is 0 if there is none. Null: nobody wants to know. `slots`: the model's.
  void begin(uint64_t* sum, StaticName static_name, const Slot* slots);
  // Is there one, as far as is known?
  bool is_wanted() const { return sum_ != nullptr && sum_ != &no_sum_; }

  // Until the first of these calls there is nothing to hash: main is alone.
  void spawned(ThreadId parent, ThreadId child) {
    thread_at(child) = {mix64(thread_at(parent).last ^ slots_[child].name), thread_at(parent).mail, 0};
  }

  // `t` has performed `op` with that result in the model; its step is counted in the slot.
  void stepped(ThreadId t, const Op& op, int result);
  // The same for a lock or unlock of a mutex, with result 0.
  void stepped_mutex(ThreadId t, OpKind what, uint64_t mutex) { write(t, start(t, what, 0), object_at(mutex)); }
  // The same for a step that needed no decision, and could have been taken unseen (Conductor::allowance). Looking at it
  // takes longer than the step: false if there have been too many of them, and the run has no hash.
  static constexpr uint32_t kMostUnseen = 128;
  bool stepped_unseen(ThreadId t, const Op& op);
  // A signal's handler runs, as a step of `t`.
  void interrupted(ThreadId t) { end(t, start(t, OpKind::kHandler, 0)); }
  // A timer has fired, or time has passed for another reason though a thread could run.
  void fired(ThreadId timer, const ThreadSet& live);
  // `t` has read the clock since its last step; is about to wait, with a deadline.
  void read_clock(ThreadId t) { write(t, start_between(t, kReadsClock), clock_); }
  void set_deadline(ThreadId t) { read(t, start_between(t, kSetsDeadline), clock_); }

  // The memory in which the object lay was freed: what comes to lie there is another one.
  void forget(uint64_t object) {
    if (used_ != 0) object_at(object).start_anew(0);
  }

 private:
  // What conflicts are found by.
  struct Conflicts {
    uint64_t write;  // the last event that wrote; before the first, the object's name
    uint64_t reads;  // the sum of the events that have read since

    void start_anew(uint64_t name) {
      write = mix64(name);
      reads = 0;
    }
  };
  struct Object : Conflicts {
    uint64_t address;
    bool for_writing;  // read-write lock: a writer has it
  };
  struct Thread {
    uint64_t last;  // its last event; before the first, its creation
    uint64_t mail;  // the last event that changed what its next step is or does: a signal, a timer, a request to end
    uint64_t asks;  // the sum of the events that tried in vain to join it
  };
  static constexpr uint32_t kFewSlots = 128, kSlots = 2 * kMostObjects;

  // The parts of an event's hash that are always there. Each part is a hash of its own: a sum in which their places
  // count mixes them.
  uint64_t start(ThreadId t, OpKind kind, int result) const {
    const Thread& thread = thread_at(t);
    const uint64_t what = slots_[t].taken << 16 | static_cast<uint64_t>(kind) << 8 | static_cast<uint8_t>(result);
    return (thread.last ^ what) + rotated(thread.mail, 17);
  }
  // Of what is not a step: whether the next one has been counted depends on whose it is.
  static constexpr uint64_t kReadsClock = 1, kSetsDeadline = 2;
  uint64_t start_between(ThreadId t, uint64_t what) const {
    return (thread_at(t).last ^ what) + rotated(thread_at(t).mail, 17);
  }
  uint64_t end(ThreadId t, uint64_t parts) {
    const uint64_t event = mix64(parts);
    thread_at(t).last = event;
    *sum_ += event;
    return event;
  }
  void read(ThreadId t, uint64_t parts, Conflicts& with) { with.reads += end(t, parts + rotated(with.write, 31)); }
  void write(ThreadId t, uint64_t parts, Conflicts& with) {
    with.write = end(t, parts + rotated(with.write, 31) + rotated(with.reads, 47));
    with.reads = 0;
  }
  void write_both(ThreadId t, uint64_t parts, Conflicts& one, Conflicts& other);
  void on_rwlock(ThreadId t, const Op& op, int result);
  void on_thread(ThreadId t, const Op& op, int result);

  static constexpr uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }
  static constexpr uint32_t home(uint64_t address) { return static_cast<uint32_t>(address * 0x9e3779b97f4a7c15 >> 40); }

  Thread& thread_at(ThreadId t) { return threads_[kMaxThreads - 1u - t]; }
  const Thread& thread_at(ThreadId t) const { return threads_[kMaxThreads - 1u - t]; }
  Object& object_at(uint64_t address) {
    return __builtin_expect(latest_->address == address, 1) ? *latest_ : search(address);
  }
  Object& search(uint64_t address);
  Object& make(uint64_t address, uint32_t slot);
  void use_slots(uint32_t count);
  void give_up();

  // A run with few threads and objects touches one page or two: the last of the one table, the first of the other, and
  // what lies between them.
  Storage<Thread, kMaxThreads> threads_;  // by slot, the first is the last
  uint64_t* sum_ = nullptr;
  uint64_t no_sum_ = 0;  // of a run that has too many objects, or too many steps to look at
  StaticName static_name_ = nullptr;
  const Slot* slots_ = nullptr;
  Conflicts outside_, clock_;
  Object nothing_;              // has the address 0
  Object* latest_ = &nothing_;  // most events are about the same object as the one before
  uint32_t unseen_ = 0;
  uint32_t used_ = 0;
  uint32_t mask_ = 0;
  uint16_t* by_address_ = few_slots_;  // [0, mask_]: 1 + index of an object, 0: none
  uint16_t few_slots_[kFewSlots];
  Storage<Object, kMostObjects> objects_;  // [0, used_)
  Storage<uint16_t, kSlots> many_slots_;
};

}  // namespace snarl::conduct
