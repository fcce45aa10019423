// Which interval is the innermost around an address?
//
// Takes nested intervals and flattens them into disjoint segments, so that a lookup is one binary search. Intervals
// that overlap without nesting (only in damaged input) are cut at the end of the one that began first. Immutable after
// construction, so safe on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace snarl::symbolize {

struct Interval {
  uint64_t low = 0;
  uint64_t high = 0;   // first address behind it
  uint32_t depth = 0;  // of two intervals with the same low the deeper one is the inner one
  uint32_t value = 0;
};

class IntervalTable {
 public:
  IntervalTable() = default;
  explicit IntervalTable(std::vector<Interval> intervals);

  // The value of the innermost interval around `address`.
  std::optional<uint32_t> find(uint64_t address) const;

  // The lowest address from which find() has the same answer up to `address`.
  uint64_t same_since(uint64_t address) const;

 private:
  struct Segment {
    uint64_t low;
    std::optional<uint32_t> value;
  };

  const Segment* segment_at(uint64_t address) const;

  void close_until(std::vector<Interval>& open, uint64_t address);
  void start(uint64_t low, std::optional<uint32_t> value);

  std::vector<Segment> segments_;  // by low; each reaches to the next one
};

}  // namespace snarl::symbolize
