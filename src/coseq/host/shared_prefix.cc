#include "coseq/host/shared_prefix.h"

#include <algorithm>

namespace snarl::coseq {
namespace {

// In the order in which the lanes part: at equal steps, who is the same change stands together.
bool before(const PlannedChanges& a, const PlannedChanges& b) {
  for (size_t i = 0; i < a.count; ++i) {
    if (a.list[i].step != b.list[i].step) return a.list[i].step < b.list[i].step;
    if (a.list[i].rank != b.list[i].rank) return a.list[i].rank < b.list[i].rank;
  }
  return false;
}

}  // namespace

void SharedPrefix::tell(std::span<const Member> members) {
  const Ended end = scheduler_.ended();
  for (const Member& member : members) (*told_)(member.plan, end);
}

// The lane is where all members have taken their first `at` changes.
void SharedPrefix::run_from(std::span<Member> members, size_t at) {
  const LanePlan& plan = plans_[members[0].plan];
  if (at == members[0].changes.count) {
    scheduler_.run_to(plan, kNoStop, nullptr);
    return tell(members);
  }
  while (!members.empty()) {
    const PlannedChange change = members[0].changes.list[at];
    if (scheduler_.run_to(plan, change.step, nullptr)) return tell(members);
    size_t same = 1;
    while (same < members.size() && members[same].changes.list[at] == change) ++same;
    const bool parts = same < members.size();
    if (parts) {
      lane_.save(saved_[at].arena);
      saved_[at].course = scheduler_.course();
    }
    scheduler_.lower(change.rank);
    run_from(members.subspan(0, same), at + 1);
    members = members.subspan(same);
    if (!parts) return;
    lane_.restore(saved_[at].arena);
    scheduler_.course() = saved_[at].course;
  }
}

void SharedPrefix::run(std::span<const LanePlan> plans, const Told& told) {
  plans_ = plans;
  told_ = &told;
  members_.clear();
  for (size_t i = 0; i < plans.size(); ++i) members_.push_back({i, sorted_changes(plans[i])});
  std::sort(members_.begin(), members_.end(),
            [](const Member& a, const Member& b) { return before(a.changes, b.changes); });
  saved_.resize(kPlanChanges);
  scheduler_.begin_plan(plans[0]);
  run_from(members_, 0);
}

}  // namespace snarl::coseq
