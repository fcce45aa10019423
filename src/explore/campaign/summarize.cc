#include "explore/campaign/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "explore/execute/rewinding.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"
#include "policy/pct.h"
#include "report/printable.h"
#include "schedule/hit_rate.h"
#include "schedule/point_levels.h"
#include "schedule/schedule.h"

namespace snarl::explore {
namespace {

report::Bound bound_of(const PolicyTally& tally, const Campaign& campaign) {
  const Claim claim = tally.bound->claim(campaign.saw_deadlines() ? 1.0 / policy::kEarlyTimers : 0);
  const Met& met = claim.met;
  return {to_string(tally.policy), tally.bound->depth(), claim.threads,   claim.steps,    claim.counted,
          claim.probability,       met.time_out,         met.passed_over, met.starvation, met.watchdog};
}

report::Obeyed obeyed_of(const PolicyTally& tally) {
  const auto runs = [&](Obedience how) { return tally.obedience[static_cast<size_t>(how)]; };
  return {to_string(tally.policy), runs(Obedience::kSatisfied), runs(Obedience::kViolated), runs(Obedience::kDeadEnd),
          runs(Obedience::kOpen)};
}

// The schedule of index i is a certain one of its policy: so `first_after` does not depend on -j.
report::PolicyCount count_of(const PolicyTally& tally, const Rota& rota) {
  const RateInterval interval = exact_interval(tally.failing, tally.schedules);
  report::PolicyCount count;
  count.policy = to_string(tally.policy);
  count.schedules = tally.schedules;
  count.failing_schedules = tally.failing;
  if (tally.schedules > 0) count.hit_rate = static_cast<double>(tally.failing) / static_cast<double>(tally.schedules);
  count.seconds = tally.seconds;
  count.hit_rate_low = interval.low;
  count.hit_rate_high = interval.high;
  if (!tally.failing_at.empty()) count.first_after = 1 + rota.turn_at(*tally.failing_at.begin());
  return count;
}

report::Chosen serial_switching(const Setup& setup, const std::string& obstacle) {
  if (!obstacle.empty()) return {"gates", obstacle};
  if (setup.switching == Switching::kGates) return {"gates", "asked for with --switching gates"};
  if (setup.switching == Switching::kFibers) return {"fibers", "asked for with --switching fibers"};
  if (setup.reset == wire::Reset::kExec) return {"gates", "real threads, one at a time: fibers are for --reset fork"};
  return {"fibers", "the default: all threads on one OS thread"};
}

std::string names_of_parallel(const std::vector<PolicySpec>& policies) {
  std::string names;
  for (const PolicySpec& policy : policies)
    if (is_parallel(policy)) names += (names.empty() ? "" : ", ") + std::string(policy_name(policy));
  return names;
}

}  // namespace

report::Chosen switching_of(const Setup& setup, const std::vector<PolicySpec>& policies, const std::string& obstacle) {
  const auto in_parallel = std::count_if(policies.begin(), policies.end(), is_parallel);
  if (in_parallel != 0 && in_parallel == std::ssize(policies))
    return {"parallel", "real threads at the same time, which does not repeat"};
  const report::Chosen serial = serial_switching(setup, obstacle);
  if (in_parallel == 0) return serial;
  return {serial.kind + " and parallel",
          serial.why + "; real threads at the same time for " + names_of_parallel(policies)};
}

report::Chosen reset_of(const Setup& setup) {
  if (setup.reset == wire::Reset::kExec) return {"exec", "asked for with --reset exec"};
  if (setup.rewinding == nullptr) return {"fork", "a fork server at main"};
  const Rewinding& rewinding = *setup.rewinding;
  if (!rewinding.why().empty()) return {"fork", "not rewind, because of " + rewinding.why()};
  if (rewinding.rewound() == 0) return {"fork", "the default: a fork server at main"};
  return {"rewind", fmt::format("{} put back in place, {} of them made again in fresh processes and compared",
                                report::grouped(rewinding.rewound()), report::grouped(rewinding.compared()))};
}

void summarize(const Campaign& campaign, const CampaignPlan& plan, const Setup& setup, const std::string& obstacle,
               report::Summary& summary) {
  summary.seed = plan.seed;
  summary.keep_going = plan.keep_going;
  summary.schedules = campaign.schedules();
  summary.failing_schedules = campaign.failing();
  summary.switching = switching_of(setup, plan.policies, obstacle);
  summary.reset = reset_of(setup);
  summary.points = point_names(setup.settings.points);
  const wire::Patched& patched = campaign.patched();
  summary.atomic_sites = {patched.sites, patched.patched, patched.unread, patched.refused, patched.disputed};
  summary.all_memory = {campaign.all_memory_schedules(), campaign.most_all_memory_steps()};
  summary.named_functions = {patched.functions, patched.functions_patched};
  summary.time = kTimeModes[static_cast<size_t>(setup.settings.time)];
  for (const PolicyTally& tally : campaign.tallies()) {
    summary.policy.push_back(count_of(tally, campaign.rota()));
    if (policy::traits_of(tally.policy).directed) summary.obeyed.push_back(obeyed_of(tally));
    if (tally.bound && !campaign.any_failed()) summary.bound.push_back(bound_of(tally, campaign));
  }
  summary.points_seen = campaign.most_steps();
  summary.threads = campaign.most_threads();
  summary.steps = campaign.most_steps();
  summary.distinct_schedules = campaign.distinct();
  summary.orders = campaign.orders();
  summary.lost = campaign.lost();
  summary.too_long = campaign.too_long();
  summary.longest = campaign.longest();
  summary.step_budget = setup.settings.step_budget;
  summary.exhausted = campaign.is_exhausted();
  for (size_t i = 0; i < summary.policy.size(); ++i) {
    summary.policy[i].exhausted = campaign.is_exhausted(i);
    if ((plan.sync_only >> i & 1) != 0) summary.policy[i].policy += " (without memory points)";
  }
  summary.chosen_deadlines = {campaign.chosen_deadlines(), campaign.with_chosen_deadline()};
  for (const EpochProfile& epoch : campaign.epochs())
    summary.profiles.push_back(
        {epoch.profile.epoch, epoch.first_index, epoch.profile.threads, epoch.profile.steps, epoch.groups});
}

}  // namespace snarl::explore
