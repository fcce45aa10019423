#include "explore/campaign/after_profiling.h"

#include <utility>

#include "explain/group_names.h"
#include "explore/target/function_names.h"
#include "policy/catalog.h"
#include "schedule/point_levels.h"

namespace snarl::explore {
namespace {

// Variables that the user names are looked for among those that the profiling runs met.
Status find_named_groups(const CampaignPlan& plan, Campaign& campaign) {
  for (size_t i = 0; i < plan.policies.size(); ++i) {
    const PolicySpec& policy = plan.policies[i];
    if (!policy::traits_of(policy).groups || policy.file[0] == '\0') continue;
    Expected<record::GroupNames> found = explain::groups_named(policy.file, campaign.groups().of(GroupBy::kVariable));
    if (!found) return found.error();
    campaign.name_groups(i, std::move(*found));
  }
  return Done{};
}

}  // namespace

void AfterProfiling::note(const record::RunRecord& record) {
  matched_ |= record.patched.matched;
  hooked_ |= record.hooked;
}

Status AfterProfiling::check(const Setup& setup, const CampaignPlan& plan, Executors& executors, Campaign& campaign) {
  if (!campaign.just_profiled()) return Done{};
  if (Status hooks = check_hooks(setup.settings.points, hooked_); !hooks) return hooks;
  if (plan.needs_hooks && !hooked_) return no_hooks("memory");
  if (std::exchange(named_, true)) return Done{};
  if (!setup.functions.empty())
    if (Status found = check_all_matched(setup, matched_, *executors.guard()); !found) return found;
  return find_named_groups(plan, campaign);
}

}  // namespace snarl::explore
