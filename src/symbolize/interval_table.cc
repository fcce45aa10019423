#include "symbolize/interval_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace snarl::symbolize {

IntervalTable::IntervalTable(std::vector<Interval> intervals) {
  std::stable_sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return std::tie(a.low, a.depth, b.high) < std::tie(b.low, b.depth, a.high);
  });
  segments_.reserve(intervals.size() * 2);  // each begins one, and ends at most one
  std::vector<Interval> open;               // outermost first; each within the one before it
  for (Interval& interval : intervals) {
    close_until(open, interval.low);
    if (!open.empty()) interval.high = std::min(interval.high, open.back().high);
    if (interval.low >= interval.high) continue;
    start(interval.low, interval.value);
    open.push_back(interval);
  }
  close_until(open, std::numeric_limits<uint64_t>::max());
}

// Ends the open intervals that don't reach `address`. The intervals around them continue.
void IntervalTable::close_until(std::vector<Interval>& open, uint64_t address) {
  while (!open.empty() && open.back().high <= address) {
    const uint64_t end = open.back().high;
    open.pop_back();
    start(end, open.empty() ? std::nullopt : std::optional(open.back().value));
  }
}

void IntervalTable::start(uint64_t low, std::optional<uint32_t> value) {
  if (!segments_.empty() && segments_.back().low == low) segments_.pop_back();
  if (!segments_.empty() && segments_.back().value == value) return;
  segments_.push_back({low, value});
}

std::optional<uint32_t> IntervalTable::find(uint64_t address) const {
  const Segment* segment = segment_at(address);
  return segment ? segment->value : std::nullopt;
}

uint64_t IntervalTable::same_since(uint64_t address) const {
  const Segment* segment = segment_at(address);
  return segment ? segment->low : 0;
}

const IntervalTable::Segment* IntervalTable::segment_at(uint64_t address) const {
  const auto behind = std::upper_bound(segments_.begin(), segments_.end(), address,
                                       [](uint64_t a, const Segment& segment) { return a < segment.low; });
  return behind == segments_.begin() ? nullptr : &*std::prev(behind);
}

}  // namespace snarl::symbolize
