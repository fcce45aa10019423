// Looks for a shorter schedule that fails in the same way.
//
// A schedule is told as an outline (schedule/outline.h). The shortener proposes outlines that are changed in one place;
// the caller runs them and offers those runs back that failed in the same way. Each that is shorter becomes the one to
// change. When no change is left, it proposes all outlines with fewer switches (schedule/few_parts.h), as long as that
// takes few steps in all. When next() has no more, no part can be left out, and no part can continue to the end of its
// thread's next one, without losing the failure or getting longer; and if the schedules with fewer switches are few,
// none of them fails.
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
#include "schedule/few_parts.h"
#include "schedule/outline.h"

namespace snarl {

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
        few_(threads_of(outline_)),
        few_left_(std::min(kMostFew, kMostSteps / std::max<Step>(steps, 1))),
        chunk_(std::max<size_t>(outline_.size() / 2, 1)) {}

  const ScheduleLength& length() const { return length_; }

  // The next outline to run.
  std::optional<Outline> next() {
    while (!is_done_) {
      const std::optional<Outline> changed = joins_ ? joined(at_) : without(at_);
      advance();
      if (changed) return changed;
    }
    if (few_left_ == 0 || few_.breaks() >= length_.switches) return std::nullopt;
    --few_left_;
    return few_.next();
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
  // At thousands of tries per second they take less than a second; long runs take fewer.
  static constexpr uint64_t kMostFew = 2'000, kMostSteps = 200'000;

  // With the steps of each; in the order in which they begin.
  static std::vector<OutlinePart> threads_of(const Outline& outline) {
    std::vector<OutlinePart> threads;
    for (const OutlinePart& part : outline) {
      const auto known = std::ranges::find(threads, part.thread, &OutlinePart::thread);
      if (known == threads.end())
        threads.push_back(part);
      else
        known->until = std::max(known->until, part.until);
    }
    return threads;
  }

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
  FewParts few_;  // with fewer switches, of the threads of the first outline
  uint64_t few_left_;
  size_t chunk_;  // parts that are left out together
  size_t at_ = 0;
  bool joins_ = false;
  bool improved_ = false;  // since single parts were last begun with
  bool is_done_ = false;
};

}  // namespace snarl
