#include "explore/summarize.h"

#include "explore/policy_spec.h"
#include "schedule/schedule.h"

namespace snarl {
namespace {

Bound bound_of(const PolicyTally& tally, const Campaign& campaign) {
  Bound bound;
  bound.policy = to_string(tally.policy);
  bound.depth = tally.bound->depth();
  bound.threads = campaign.epochs().empty() ? 0 : campaign.epochs().back().profile.threads;
  bound.steps = campaign.epochs().empty() ? 0 : campaign.epochs().back().profile.steps;
  bound.counted = tally.bound->counted();
  bound.probability = bound.counted == 0 ? 0 : tally.bound->probability();  // never -0
  return bound;
}

Obeyed obeyed_of(const PolicyTally& tally) {
  const auto runs = [&](Obedience how) { return tally.obedience[static_cast<size_t>(how)]; };
  return {to_string(tally.policy), runs(Obedience::kSatisfied), runs(Obedience::kViolated), runs(Obedience::kDeadEnd),
          runs(Obedience::kOpen)};
}

Choice reset_of(const Setup& setup) {
  if (setup.reset == wire::Reset::kExec) return {"exec", "asked for with --reset exec"};
  return {"fork", "the default: a fork server at main"};
}

}  // namespace

void summarize(const Campaign& campaign, const CampaignPlan& plan, const Setup& setup, Summary& summary) {
  summary.seed = plan.seed;
  summary.schedules = campaign.schedules();
  summary.failing_schedules = campaign.failing();
  summary.switching = {"gates", "real threads, one at a time, on one core"};
  summary.reset = reset_of(setup);
  summary.time = kTimeModes[static_cast<size_t>(setup.time)];
  for (const PolicyTally& tally : campaign.tallies()) {
    summary.policy.push_back({to_string(tally.policy), tally.schedules, tally.failing});
    if (policy_name(tally.policy) == "obey") summary.obeyed.push_back(obeyed_of(tally));
    if (tally.bound) summary.bound.push_back(bound_of(tally, campaign));
  }
  summary.points_seen = campaign.most_steps();
  summary.threads = campaign.most_threads();
  summary.steps = campaign.most_steps();
  summary.distinct_schedules = campaign.distinct();
  summary.lost = campaign.lost();
  for (const EpochProfile& epoch : campaign.epochs())
    summary.profiles.push_back({epoch.profile.epoch, epoch.first_index, epoch.profile.threads, epoch.profile.steps});
}

}  // namespace snarl
