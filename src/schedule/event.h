// What a step was. One format for the trace of a serial run, the order of a parallel one, and all that reads them.
//
// A run's events are its steps, points after an operation and steps of a lone thread among them, but for those of
// timers, which have no code: the decisions tell of them. Besides, an event of kind kFree says where memory was freed.
// Events live in the wire: plain data, fixed layout, without pointers. Stacks are stored apart and once
// (schedule/stack_table.h).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "schedule/decision.h"
#include "schedule/memory_order.h"
#include "schedule/operation.h"

namespace snarl {

struct Event {
  static constexpr uint32_t kMostStacks = (1 << 20) - 1, kMostBlocks = (1 << 12) - 1, kMostThreads = (1 << 24) - 1;

  // Serial: the number of the step; 0 while only one thread lived. Parallel: the processor's time stamp, taken while
  // the thread had the object, so that sorted by it all threads' events are an order that fits every object's.
  uint64_t step = 0;
  uint64_t object = 0;       // as in Op
  uint64_t value = 0;        // see ValueIs; 0 in parallel runs
  uint64_t pc = 0;           // the place: the return address of the call
  uint32_t thread : 24 = 0;  // ordinal
  MemoryOrder order : 3 =
      MemoryOrder::kNone;               // of an atomic operation, as it turned out: a failed exchange has its own
  Reason switched : 3 = Reason::kNone;  // why the thread that ran before this step does not go on; kNone: no switch
  bool late : 1 = false;                // parallel: a timed wait that ran out of time
  uint32_t stack : 20 = 0;              // id; 0: none
  uint32_t block : 12 = 0;              // memory: 1 + the index of its block of the heap; 0: in none that is known
  uint32_t size = 0;                    // memory: bytes
  OpKind kind = OpKind::kNone;
  OpKind after = OpKind::kNone;  // kAfter: what was just performed
  int16_t result = 0;            // errno-style result that the program gets
};
static_assert(sizeof(Event) == 48);

// What Event::value is, by the kind of the operation (of a point after: that of the operation before it).
enum class ValueIs {
  kNumber,  // Op::value
  kMemory,  // a read or exchange: what was there; a write or the point after an exchange: what it left there.
            // 0 where nothing could be read, and for a write that no event follows
  kThread,  // the other thread's ordinal
  kObject,  // Op::second
};

constexpr ValueIs value_is(OpKind kind) {
  constexpr OpKinds kThreads = {OpKind::kCreate, OpKind::kJoin,   OpKind::kTryJoin,
                                OpKind::kDetach, OpKind::kCancel, OpKind::kKill};
  constexpr OpKinds kObjects = {OpKind::kWait, OpKind::kReacquire, OpKind::kFutexRequeue};
  if (is_memory_access(kind)) return ValueIs::kMemory;
  if (kThreads.has(kind)) return ValueIs::kThread;
  return kObjects.has(kind) ? ValueIs::kObject : ValueIs::kNumber;
}

constexpr OpKind performed_kind(const Event& event) { return event.kind == OpKind::kAfter ? event.after : event.kind; }

// Of a serial run: the other thread's ordinal, of an operation on a thread; otherwise 0.
constexpr uint32_t other_of(const Event& event) {
  return value_is(performed_kind(event)) == ValueIs::kThread ? static_cast<uint32_t>(event.value) : 0;
}

// Likewise the second object, of an operation on two; otherwise 0.
constexpr uint64_t second_of(const Event& event) { return value_is(event.kind) == ValueIs::kObject ? event.value : 0; }

}  // namespace snarl
