// Looks for a shorter schedule that fails in the same way.
//
// A schedule is told as an outline (schedule/outline.h). The shortener proposes outlines that are changed in one place;
// the caller runs them and offers those runs back that failed in the same way. Each that is shorter becomes the one to
// change. When no change is left, it proposes all outlines with fewer switches (schedule/few_parts.h), as long as that
// takes few steps in all. When next() has no more, no part can be left out, no part can continue to the end of its
// thread's next one, and none can end earlier, without losing the failure or getting longer; and if the schedules with
// fewer switches are few, none of them fails. In long runs not all earlier ends are tried, but the earliest, the half
// way there, a quarter, ... and the step before.
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

// What people have to read: fewer switches count most, then fewer preemptions, then how early it all happens.
struct ScheduleLength {
  uint64_t switches = 0;
  uint64_t preemptions = 0;
  Step steps = 0;
  uint64_t lateness = 0;  // the sum of the steps at which the switches are

  friend auto operator<=>(const ScheduleLength&, const ScheduleLength&) = default;
};

inline ScheduleLength length_of(std::span<const Decision> decisions, Step steps) {
  const auto forced = std::ranges::count_if(
      decisions, [](const Decision& d) { return d.reason == Reason::kBlocked || d.reason == Reason::kEnded; });
  uint64_t lateness = 0;
  for (const Decision& d : decisions) lateness += d.step;
  return {decisions.size(), decisions.size() - static_cast<uint64_t>(forced), steps, lateness};
}

class Shortener {
 public:
  Shortener(std::span<const Decision> decisions, Step steps)
      : outline_(outline_of(decisions, steps)),
        length_(length_of(decisions, steps)),
        few_(threads_of(outline_)),
        few_left_(std::min(kMostFew, kMostSteps / std::max<Step>(steps, 1))),
        moves_left_(std::min(kMostMoves, kMostSteps / std::max<Step>(steps, 1))),
        chunk_(std::max<size_t>(outline_.size() / 2, 1)) {}

  const ScheduleLength& length() const { return length_; }

  // The next outline to run.
  std::optional<Outline> next() {
    while (!is_done_) {
      const std::optional<Outline> changed = changed_at(at_);
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
    at_ -= std::min(at_, change_ == Change::kDrop ? chunk_ : size_t{1});  // the same place of the new outline
    chunk_ = std::clamp<size_t>(chunk_, 1, std::max<size_t>(outline_.size() / 2, 1));
    by_ = 0;
    return true;
  }

 private:
  // At thousands of tries per second they take less than a second; long runs take fewer.
  static constexpr uint64_t kMostFew = 2'000, kMostMoves = 2'000, kMostSteps = 200'000;
  static constexpr uint64_t kShortPart = 64;  // steps, of which each is tried as the end

  enum class Change : uint8_t { kDrop, kJoin, kMove };

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

  // How many of the part's steps can be left to its thread's next part.
  uint64_t most_earlier(size_t at) const {
    if (at + 1 >= outline_.size()) return 0;
    uint64_t begin = 0;
    for (size_t i = 0; i < at; ++i)
      if (outline_[i].thread == outline_[at].thread) begin = outline_[i].until;
    return outline_[at].until > begin + 1 ? outline_[at].until - begin - 1 : 0;
  }

  // The part ends so many steps earlier.
  std::optional<Outline> earlier(size_t at) {
    if (by_ == 0) by_ = moves_left_ == 0 ? 0 : most_earlier(at);
    if (by_ == 0) return std::nullopt;
    --moves_left_;
    Outline changed = outline_;
    changed[at].until -= by_;
    return changed;
  }

  std::optional<Outline> changed_at(size_t at) {
    switch (change_) {
      case Change::kDrop: return without(at);
      case Change::kJoin: return joined(at);
      case Change::kMove: return earlier(at);
    }
    return std::nullopt;
  }

  void advance() {
    if (change_ == Change::kMove && by_ > 0) by_ = most_earlier(at_) > kShortPart ? by_ / 2 : by_ - 1;
    if (by_ > 0) return;
    at_ += change_ == Change::kDrop ? chunk_ : 1;
    if (at_ < outline_.size()) return;
    at_ = 0;
    end_round();
  }

  // Large pieces first, then single parts, then joins; single parts and joins again as long as something got shorter.
  // Then moves, and if one of them was good, all of it again.
  void end_round() {
    if (change_ == Change::kDrop && chunk_ > 1) {
      chunk_ /= 2;
      improved_ = false;
      return;
    }
    if (change_ == Change::kDrop) {
      change_ = Change::kJoin;
      return;
    }
    is_done_ = change_ == Change::kMove && !improved_;
    change_ = change_ == Change::kJoin && !improved_ ? Change::kMove : Change::kDrop;
    improved_ = false;
  }

  Outline outline_;  // of the shortest failing run
  ScheduleLength length_;
  FewParts few_;  // with fewer switches, of the threads of the first outline
  uint64_t few_left_, moves_left_;
  Change change_ = Change::kDrop;
  size_t chunk_;  // parts that are left out together
  size_t at_ = 0;
  uint64_t by_ = 0;        // kMove: the part at at_ ends so many steps earlier next; 0: it has not been begun with
  bool improved_ = false;  // since single parts were last begun with
  bool is_done_ = false;
};

}  // namespace snarl
