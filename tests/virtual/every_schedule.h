// All schedules of a tiny virtual program, by depth-first search over the policy's choices.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "virtual/world.h"

namespace snarl {

// Replays a path of choices and extends it by first choices; next() moves to the next path.
// With `reduce`, a thread whose next step touches nothing shared (start, exit, after) takes
// it at once: same outcomes, far fewer schedules.
class EverySchedule final : public policy::Policy {
 public:
  explicit EverySchedule(bool reduce = false) : reduce_(reduce) {}

  bool begin(const Run&, Arena&, policy::Plan&) override {
    at_ = 0;
    return false;
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    if (reduce_ && (verdict.first = invisible(view)) != kNoThread) return;
    if (at_ == path_.size()) path_.push_back({0, view.enabled.size()});
    EXPECT_EQ(path_[at_].count, view.enabled.size()) << "the program is not deterministic";
    verdict.first = view.enabled.nth(path_[at_++].chosen);
  }
  bool next() {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    return true;
  }

 private:
  struct Fork {
    int chosen;
    int count;
  };
  static ThreadId invisible(const policy::View& view) {
    ThreadId found = kNoThread;
    view.enabled.for_each([&](ThreadId t) {
      const OpKind kind = view.next(t).kind;
      if (kind == OpKind::kStart || kind == OpKind::kExit || kind == OpKind::kAfter) found = t;
    });
    return found;
  }

  bool reduce_;
  std::vector<Fork> path_;
  size_t at_ = 0;
};

// Calls f(const VirtualResult&) for every schedule; how many there are.
template <typename F>
long for_every_schedule(const virtual_world::VirtualProgram& program, bool reduce, F&& f) {
  EverySchedule policy(reduce);
  long schedules = 0;
  do {
    f(virtual_world::run_virtual(program, policy));
    ++schedules;
  } while (policy.next() && !testing::Test::HasFailure());
  return schedules;
}

}  // namespace snarl
