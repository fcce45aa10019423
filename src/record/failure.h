// Which failure of a run is meant. A run may fail in several ways: by misuses on its way, and by its outcome.
#pragma once

#include <compare>
#include <cstdint>

namespace snarl::record {

// In the order in which a run's failures are told: what came on the way first.
// A possible race is none yet: it is looked for in other runs.
enum class FailureKind : uint8_t { kMisuse, kOutcome, kPossibleRace };

// Of a possible race: it was read out of another order of the events of a run, in which the accesses did not come so
// close. Does happens-before order them in that run?
enum class Predicted : uint8_t { kNo, kOrdered, kUnordered };

struct Failure {
  FailureKind kind = FailureKind::kOutcome;
  uint32_t index = 0;  // kMisuse: into RunRecord::misuses; kPossibleRace: into RunRecord::races

  static Failure misuse(size_t index) { return {FailureKind::kMisuse, static_cast<uint32_t>(index)}; }
  static Failure possible_race(size_t index) { return {FailureKind::kPossibleRace, static_cast<uint32_t>(index)}; }
  auto operator<=>(const Failure&) const = default;
};

}  // namespace snarl::record
