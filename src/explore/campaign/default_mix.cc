#include "explore/campaign/default_mix.h"

#include "base/check.h"
#include "explore/target/policy_spec.h"
#include "schedule/points.h"

namespace snarl::explore {
namespace {

struct Share {
  const char* policy;
  char letter;             // in the cycle
  bool sync_only = false;  // its runs have no memory points; where there are none anyway, it has no turn
};

// Each share has its reason in docs/design/search.md, with the measurement that shows it.
constexpr Share kShares[] = {
    {"hold", 'h'},         // finds most bugs in the fewest schedules
    {"surw", 's'},         // the base of hold by itself: for bugs that every hold keeps from happening
    {"pct:depth=3", 'p'},  // has a guarantee
    {"pos", 'y', true},    // bugs that need few switches, all of them at synchronisation
};

// The first schedules matter most: what others than hold find, they also find a little later.
constexpr const char* kCycle = "hhhhhhshhhhhhphhhhhhyhhhhhshhhhp";

bool has_turn(const Share& share, PointSet points) { return !share.sync_only || learns_places(points); }

}  // namespace

std::string default_policies() {
  std::string names;
  for (const Share& share : kShares) names += (names.empty() ? "" : ", ") + std::string(share.policy);
  return names;
}

void set_default_policies(PointSet points, CampaignPlan& plan) {
  plan.policies.clear();
  plan.sync_only = 0;
  std::string letters;
  for (const Share& share : kShares) {
    if (!has_turn(share, points)) continue;
    if (share.sync_only) plan.sync_only |= 1u << plan.policies.size();
    const Expected<PolicySpec> spec = parse_policy(share.policy);
    SNARL_CHECK(spec);
    plan.policies.push_back(*spec);
    letters += share.letter;
  }
  std::vector<uint8_t> cycle;
  for (const char* at = kCycle; *at != '\0'; ++at)
    if (const size_t policy = letters.find(*at); policy != letters.npos) cycle.push_back(static_cast<uint8_t>(policy));
  plan.rota = Rota(cycle);
}

}  // namespace snarl::explore
