// A call that breaks the rules of a synchronisation object, or of a thread, as data.
//
// A misuse does not end the run (but for the use of freed memory, after which nothing means anything): what the real
// primitive would do is done, and a run may have several of them besides its outcome.
#pragma once

#include <cstdint>

#include "schedule/operation.h"

namespace snarl {

// Append only: part of the wire and of reports (by name).
enum class MisuseKind : uint8_t {
  kNone = 0,
  kUnlockNotOwner,   // somebody else holds the mutex or read-write lock
  kUnlockNotLocked,  // nobody does
  kWaitNotOwner,     // a condition wait with a mutex that the caller does not hold
  kDestroyLocked,
  kDestroyWaited,  // threads wait on it that nobody has woken
  kUseAfterDestroy,
  kJoinSelf,
  kJoinTwice,  // the thread was joined, or somebody else is joining it
  kJoinDetached,
  kSemaphoreOverflow,
  kCondvarTwoMutexes,
  kForkHolding,   // the copy locks what a thread that it does not have was holding
  kExitHolding,   // the process ends while a lock is held: not wrong by itself
  kUseAfterFree,  // its memory was freed; the run ends there
  kRace,          // two threads stand at accesses to the same bytes, one of which writes: seen, not inferred
  kCount,
};

// Lower-case name as it stands in reports and suppressions: "unlock_not_owner", ...
const char* name_of(MisuseKind kind);
MisuseKind misuse_kind_named(const char* name);  // kNone if there is none of that name

// Does it mean that the tested program is wrong?
constexpr bool is_failure(MisuseKind kind) { return kind != MisuseKind::kNone && kind != MisuseKind::kExitHolding; }

constexpr uint32_t kNobody = 0xffffffff;  // Misuse::other: there is no such thread, or we don't know it

// Both places: the call that is wrong, and the one that makes it so (where it was locked, destroyed, ...).
// Threads are ordinals. Lives in the wire: plain data, fixed layout.
struct Misuse {
  MisuseKind kind = MisuseKind::kNone;
  OpKind op = OpKind::kNone;        // what was called
  OpKind other_op = OpKind::kNone;  // what was done at the other place; kNone: it is not known
  LockShape shape = LockShape::kMutex;
  uint32_t thread = 0;
  uint32_t other = kNobody;
  uint32_t joined = 0;  // joins: the thread that was to be joined
  uint64_t object = 0;  // an address; of a condition wait without the mutex, the mutex's
  uint64_t pc = 0;
  uint64_t other_pc = 0;
};
static_assert(sizeof(Misuse) == 40);

}  // namespace snarl
