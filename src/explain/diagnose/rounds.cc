#include "explain/diagnose/rounds.h"

#include <algorithm>
#include <cstdint>

namespace snarl::explain {
namespace {

constexpr size_t kLongestRound = 64;  // rows: more than any table shows
constexpr size_t kFewestRounds = 4;   // fewer are worth reading

// What an operation does counts, not what its caller is told.
bool look_alike(report::FindingAct a, const report::FindingAct& b) {
  a.result = b.result;
  return a == b;
}

bool look_alike(const report::FindingRow& a, const report::FindingRow& b) {
  return a.kind == b.kind && a.thread == b.thread && look_alike(a.act, b.act) && a.reason == b.reason &&
         a.place.line == b.place.line && a.place.file == b.place.file && a.place.offset == b.place.offset;
}

// Where the rounds of that length begin that the rows end in; there is one at least.
size_t first_of_rounds(const std::vector<report::FindingRow>& rows, size_t length) {
  size_t first = rows.size() - length;
  while (first > 0 && look_alike(rows[first - 1], rows[first - 1 + length])) --first;
  return first;
}

}  // namespace

void leave_out_rounds(std::vector<report::FindingRow>& rows) {
  const size_t longest = std::min(kLongestRound, rows.size() / kFewestRounds);
  for (size_t length = 1; length <= longest; ++length) {
    const size_t first = first_of_rounds(rows, length);
    if (rows.size() - first < kFewestRounds * length) continue;
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first + length);
    const auto to = rows.end() - static_cast<std::ptrdiff_t>(length);
    to->skipped += static_cast<uint64_t>(std::count_if(from, to, report::is_step));
    rows.erase(from, to);
    return;
  }
}

}  // namespace snarl::explain
