// A run that goes round in circles ends in thousands of rounds that look alike. What led to them is what counts, and
// would be lost among them. Internal to diagnose.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report/finding.h"

namespace snarl::explain {

inline constexpr size_t kLongestRound = 64;  // rows: more than any table shows
inline constexpr size_t kFewestRounds = 4;   // fewer are worth reading

inline bool look_alike(const report::FindingRow& a, const report::FindingRow& b) {
  return a.thread == b.thread && a.text == b.text && a.reason == b.reason && a.granted == b.granted &&
         a.place.line == b.place.line && a.place.file == b.place.file && a.place.offset == b.place.offset;
}

// Where the rounds of that length begin that the rows end in; there is one at least.
inline size_t first_of_rounds(const std::vector<report::FindingRow>& rows, size_t length) {
  size_t first = rows.size() - length;
  while (first > 0 && look_alike(rows[first - 1], rows[first - 1 + length])) --first;
  return first;
}

// Keeps the first round and the last one; the row after the gap says how many steps are left out.
inline void leave_out_rounds(std::vector<report::FindingRow>& rows) {
  const size_t longest = std::min(kLongestRound, rows.size() / kFewestRounds);
  for (size_t length = 1; length <= longest; ++length) {
    const size_t first = first_of_rounds(rows, length);
    if (rows.size() - first < kFewestRounds * length) continue;
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first + length);
    const auto to = rows.end() - static_cast<std::ptrdiff_t>(length);
    to->skipped +=
        static_cast<uint64_t>(std::count_if(from, to, [](const report::FindingRow& r) { return report::is_step(r); }));
    rows.erase(from, to);
    return;
  }
}

}  // namespace snarl::explain
