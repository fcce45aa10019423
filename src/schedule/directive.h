// A directive: an ordered list of constraints that lead to a bug (PLDI'12, definitions 5 to 7).
//
// A constraint holds its target back until all its sources have happened and the targets
// before it as well. An event is a thread's n-th arrival at a place. A source has happened
// when its operation was performed; a target when its thread may go on from there, as the
// last lock of a deadlock is never performed.
#pragma once

#include <cstdint>

#include "schedule/operation.h"

namespace snarl {

struct DirectedEvent {
  uint64_t thread = 0;  // name
  uint64_t pc = 0;      // place, in this process; kStartPlace: the thread's start
  uint64_t nth = 0;     // from 1; with kAfterCall
};

// Which arrivals are calls. The second half of a call, and the point after it, have the call's place.
constexpr bool is_directed(OpKind kind, OpKind after) {
  constexpr OpKinds kSecondHalves = {OpKind::kReacquire, OpKind::kBarrierPass, OpKind::kFutexWoken};
  return !(kind == OpKind::kAfter && after != OpKind::kNone) && !kSecondHalves.has(kind);
}

// A start has no place. Other operations without one come later in their thread, so they are never the first.
constexpr uint64_t kStartPlace = 0;

// In DirectedEvent::nth: the point after the call is meant, not the call.
constexpr uint64_t kAfterCall = uint64_t{1} << 63;
constexpr bool is_after_call(OpKind kind, OpKind after) { return kind == OpKind::kAfter && after != OpKind::kNone; }

constexpr int kMaxSources = 8;
constexpr int kMaxConstraints = 32;

// Plain data; lives in the wire.
struct Constraint {
  DirectedEvent target;
  DirectedEvent sources[kMaxSources];
  uint32_t source_count = 0;
  uint32_t unused = 0;
};

// How a run obeyed its directive. Append only: it is in the wire.
enum class Obedience : uint32_t {
  kOpen = 0,   // some target was not reached (yet)
  kSatisfied,  // all were, in order and after their sources
  kViolated,   // a thread went past a target too early without being asked
  kDeadEnd,    // every thread that could go on had to be held back; the run went on at random
  kCount,
};

const char* name_of(Obedience obedience);

}  // namespace snarl
