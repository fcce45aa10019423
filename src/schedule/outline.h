// A schedule told as an outline: which thread runs until when, one part after the other (policy/outline.h runs one).
// Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "schedule/decision.h"

namespace snarl {

// The thread runs until it has taken so many steps in all, or can't continue.
struct OutlinePart {
  uint32_t thread = 0;  // ordinal; of a timer as well
  uint64_t until = 0;

  friend bool operator==(const OutlinePart&, const OutlinePart&) = default;
};
using Outline = std::vector<OutlinePart>;

// Of a run of so many steps. The last part has one at least: the run may have failed before it was counted.
inline Outline outline_of(std::span<const Decision> decisions, Step steps) {
  Outline outline;
  for (const Decision& d : decisions) outline.push_back({d.from, d.nth});
  if (decisions.empty()) return outline;
  const Step after = std::max<Step>(steps - decisions.back().step, 1);
  OutlinePart last{decisions.back().to, after};
  for (const OutlinePart& part : outline)
    if (part.thread == last.thread) last.until = part.until + after;
  outline.push_back(last);
  return outline;
}

}  // namespace snarl
