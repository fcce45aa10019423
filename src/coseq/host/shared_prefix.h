// The lanes of a group, whose plans begin alike: what they have in common runs once.
//
// Up to the first change in which two lanes differ they are in the same state. There the lane is saved, one part of the
// group goes on, and the other begins again from what was saved (docs/design/lanes.md).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "coseq/host/scheduler.h"

namespace snarl::coseq {

class SharedPrefix {
 public:
  SharedPrefix(Lane& lane, Scheduler& scheduler) : lane_(lane), scheduler_(scheduler) {}

  // Calls told(i, end) for each plan, while the lane is as plan i left it. The plans have the same priorities.
  using Told = std::function<void(size_t, const Ended&)>;
  void run(std::span<const LanePlan> plans, const Told& told);

 private:
  struct Member {
    size_t plan;
    PlannedChanges changes;
  };
  struct Saved {
    std::vector<uint8_t> arena;
    Scheduler::Course course;
  };
  void run_from(std::span<Member> members, size_t at);
  void tell(std::span<const Member> members);

  Lane& lane_;
  Scheduler& scheduler_;
  std::span<const LanePlan> plans_;
  const Told* told_ = nullptr;
  std::vector<Member> members_;
  std::vector<Saved> saved_;
};

}  // namespace snarl::coseq
