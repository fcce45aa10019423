// Looks for a shorter schedule that fails in the same way.
//
// A schedule is told as an outline: which thread runs until when, one part after the other (policy/outline.h runs one).
// The shortener proposes outlines that are changed in one place; the caller runs them and offers those runs back that
// failed in the same way. Each that is shorter becomes the one to change. When next() has no more, no part can be left
// out, and no part can continue to the end of its thread's next one, without losing the failure or getting longer.
//
// Pure, by one thread.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
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

// What people have to read: fewer switches count most.
struct ScheduleLength {
  uint64_t switches = 0;
  uint64_t preemptions = 0;
  Step steps = 0;

  friend auto operator<=>(const ScheduleLength&, const ScheduleLength&) = default;
};

inline ScheduleLength length_of(std::span<const Decision> decisions, Step steps) {
  const auto forced = std::ranges::count_if(
      decisions, [](const Decision& d) { return d.reason == Reason::kBlocked || d.reason == Reason::kEnded; });
  return {decisions.size(), decisions.size() - static_cast<uint64_t>(forced), steps};
}

class Shortener {
 public:
  Shortener(std::span<const Decision> decisions, Step steps)
      : outline_(outline_of(decisions, steps)),
        length_(length_of(decisions, steps)),
        chunk_(std::max<size_t>(outline_.size() / 2, 1)) {}

  const ScheduleLength& length() const { return length_; }

  // The next outline to run.
  std::optional<Outline> next() {
    while (!is_done_) {
      const std::optional<Outline> changed = joins_ ? joined(at_) : without(at_);
      advance();
      if (changed) return changed;
    }
    return std::nullopt;
  }

  // A run of the last outline failed in the same way. True: it is the shortest so far.
  bool offer(std::span<const Decision> decisions, Step steps) {
    const ScheduleLength length = length_of(decisions, steps);
    if (length >= length_) return false;
    length_ = length;
    outline_ = outline_of(decisions, steps);
    improved_ = true;
    is_done_ = false;
    at_ -= std::min(at_, joins_ ? size_t{1} : chunk_);  // the same place of the new outline
    chunk_ = std::clamp<size_t>(chunk_, 1, std::max<size_t>(outline_.size() / 2, 1));
    return true;
  }

 private:
  std::optional<Outline> without(size_t at) const {
    if (at >= outline_.size()) return std::nullopt;
    Outline changed = outline_;
    const auto first = changed.begin() + static_cast<ptrdiff_t>(at);
    changed.erase(first, first + static_cast<ptrdiff_t>(std::min(chunk_, outline_.size() - at)));
    return changed;
  }

  // The part continues to where the thread's next part ends.
  std::optional<Outline> joined(size_t at) const {
    if (at >= outline_.size()) return std::nullopt;
    const auto is_same = [&](const OutlinePart& part) { return part.thread == outline_[at].thread; };
    const auto later = std::ranges::find_if(outline_.begin() + static_cast<ptrdiff_t>(at) + 1, outline_.end(), is_same);
    if (later == outline_.end()) return std::nullopt;
    Outline changed = outline_;
    changed[at].until = later->until;
    changed.erase(changed.begin() + (later - outline_.begin()));
    return changed;
  }

  // Large pieces first, then single parts, then joins; single parts and joins again as long as something got shorter.
  void advance() {
    at_ += joins_ ? 1 : chunk_;
    if (at_ < outline_.size()) return;
    at_ = 0;
    if (!joins_ && chunk_ > 1) {
      chunk_ /= 2;
      improved_ = false;
    } else if (!joins_) {
      joins_ = true;
    } else {
      joins_ = false;
      is_done_ = !improved_;
      improved_ = false;
    }
  }

  Outline outline_;  // of the shortest failing run
  ScheduleLength length_;
  size_t chunk_;  // parts that are left out together
  size_t at_ = 0;
  bool joins_ = false;
  bool improved_ = false;  // since single parts were last begun with
  bool is_done_ = false;
};

}  // namespace snarl
