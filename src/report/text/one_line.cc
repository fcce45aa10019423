#include "report/text/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace snarl::report {
namespace {

constexpr Step kLongestRun = 9;  // of dashes that a reader still counts

std::string dashes(Step count) { return count <= kLongestRun ? std::string(count, '-') : fmt::format("-{}-", count); }

char letter_of(Reason reason) {
  if (reason == Reason::kPreempted) return 'P';
  return reason == Reason::kYielded ? 'p' : 'S';
}

// The i-th stretch of one thread; 0 is the main thread's first.
std::string stretch(std::span<const FindingSwitch> decisions, Step steps, size_t i) {
  const Step begin = i == 0 ? 0 : decisions[i - 1].step;
  const Step end = i == decisions.size() ? steps : decisions[i].step;
  const Step count = end > begin ? end - begin : 0;
  if (i == 0) return fmt::format("S{}{}", decisions.empty() ? 0 : decisions[0].from, dashes(count));
  const FindingSwitch& before = decisions[i - 1];
  return fmt::format("{}{}{}", before.to_timer ? 't' : letter_of(before.reason), before.to, dashes(count));
}

}  // namespace

// A third of the line for the beginning, the rest for the end, which matters most.
std::string one_line_schedule(std::span<const FindingSwitch> decisions, Step steps, size_t width) {
  width = std::max<size_t>(width, 40);
  const size_t count = decisions.size() + 1;
  std::string head, tail = "x";
  size_t first = 0, last = count;  // stretches [first, last) are not in the line yet
  while (first < last) {
    const bool at_end = head.size() * 3 >= width;
    const std::string next = stretch(decisions, steps, at_end ? last - 1 : first);
    const size_t room = width - (last - first > 1 ? 3 : 0);
    if (head.size() + tail.size() + next.size() > room) return head + "..." + tail;
    if (at_end)
      tail = next + tail, --last;
    else
      head += next, ++first;
  }
  return head + tail;
}

std::string one_line_schedule(const Finding& finding) {
  constexpr size_t kColumns = 1000;
  return one_line_schedule(finding.decisions, finding.steps, kColumns);
}

}  // namespace snarl::report
