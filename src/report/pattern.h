// Known kinds of concurrency bugs. Plain data.
#pragma once

#include <cstdint>

namespace snarl::report {

// Each with the moments that its sentence tells, in their order.
enum class PatternKind : uint8_t {
  kNone = 0,
  kAbba,            // two threads: takes one lock, waits for the other's; takes that, waits for the first
  kLockCycle,       // likewise, of three threads or more
  kLostWakeUp,      // the signal that woke nobody, the wait that began later; the test of the predicate, if it was seen
  kOvertaken,       // the wait, the signal that ended it, the lock that another thread took before the waiter had it
  kAba,             // the read, the change, the change back, the exchange that succeeded all the same
  kAtomicity,       // an event, another thread's that comes between, the event that should have followed directly
  kOrder,           // the event that came first, the event that should have
  kDestroyedInUse,  // the destruction, who uses it
  kUsedAfterDestroy,  // the use, the destruction
  kUseAfterFree,      // the use, the free
  kWakeUpTaken,       // the signal that woke one of several waiters, the wait of one that was left
  kDoubleTake,        // two threads read; one wrote; the other wrote over it
  kMissedRecheck,     // the test, the change by another, the lock after which the test was not made again
  kPublishedEarly,    // the write that others look at, their look, their read of the rest, the write of the rest
  kMadeAnew,          // a thread takes or waits, another initialises the object all the same
  kCount,
};

// "abba", "lost_wake_up", ...
const char* name_of(PatternKind kind);

}  // namespace snarl::report
