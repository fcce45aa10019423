// What a range of schedules showed. Plain data, so that a worker process can leave it in shared memory, and sums up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "coseq/host/distinct_count.h"
#include "coseq/host/scheduler.h"

namespace snarl::coseq {

struct Failure {
  uint64_t index = 0;
  Ended end;
  uint32_t info = 0;
  uint64_t likeness = 0;
};

// Failures that are alike: the one with the lowest index, and how many there are.
struct FailureKind {
  Failure first;
  uint64_t count = 0;
  uint32_t part = 0;  // of the first
};

struct PartTally {
  uint64_t schedules = 0, failing = 0;
  uint64_t first = 0;                     // of its own schedules the first that failed, from 1; 0: none
  uint64_t counted = 0, passed_over = 0;  // runs for the bound, and those of them in which a thread made way
};

struct Tally {
  static constexpr size_t kMostParts = 32, kMostKinds = 512;

  uint64_t schedules = 0, too_long = 0, longest = 0;
  uint32_t threads = 0;  // the most that were seen
  uint64_t steps = 0;
  uint32_t kinds = 0;
  bool timed = false;  // see Ended
  uint32_t limit = 0;  // LaneEnd: what keeps lanes from exploring this program; 0: nothing
  uint32_t limit_info = 0;
  PartTally part[kMostParts];
  FailureKind kind[kMostKinds];
  DistinctCount distinct;

  void add(const FailureKind& found) {
    uint32_t at = 0;
    while (at < kinds && kind[at].first.likeness != found.first.likeness) ++at;
    if (at == kMostKinds) return;  // so many are beyond any report
    if (at == kinds) {
      kind[kinds++] = found;
      return;
    }
    kind[at].count += found.count;
    if (found.first.index >= kind[at].first.index) return;
    kind[at].first = found.first;
    kind[at].part = found.part;
  }

  void merge(const Tally& other) {
    schedules += other.schedules;
    too_long += other.too_long;
    longest = std::max(longest, other.longest);
    timed |= other.timed;
    threads = std::max(threads, other.threads);
    steps = std::max(steps, other.steps);
    if (limit == 0) limit = other.limit, limit_info = other.limit_info;
    for (size_t i = 0; i < kMostParts; ++i) {
      PartTally& to = part[i];
      const PartTally& from = other.part[i];
      to.schedules += from.schedules;
      to.failing += from.failing;
      to.counted += from.counted;
      to.passed_over += from.passed_over;
      if (from.first != 0 && (to.first == 0 || from.first < to.first)) to.first = from.first;
    }
    for (uint32_t i = 0; i < other.kinds; ++i) add(other.kind[i]);
    distinct.merge(other.distinct);
  }
};
static_assert(std::is_trivially_copyable_v<Tally>);

}  // namespace snarl::coseq
