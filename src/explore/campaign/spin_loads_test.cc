// Loads of spin loops in the campaign: what is learned is frozen per epoch, whoever learns it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"
#include "explore/campaign/campaign.h"
#include "explore/target/policy_spec.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kFile = 5;

CampaignPlan plan_of(uint64_t schedules) {
  CampaignPlan plan;
  plan.seed = 7;
  plan.policies = {*parse_policy("random")};
  plan.profilers.assign(3, *parse_policy("random"));
  plan.schedules = schedules;
  return plan;
}

std::vector<uint64_t> loads_of(const RunOrder& order) {
  std::vector<uint64_t> loads;
  if (order.spin_loads != nullptr)
    for (const SharedPlace& load : order.spin_loads->all()) loads.push_back(load.offset);
  return loads;
}

record::SpinLoop loop_at(uint64_t offset) { return {.place = {"a", "", offset}, .load = {kFile, offset}}; }

// A run that is stopped in a loop, `spins(order)`, unless its load is a point; 0: in none.
template <typename Spins>
record::RunRecord run_of(const RunOrder& order, Spins&& spins) {
  record::RunRecord record;
  record.key.index = order.key.index;
  record.outcome = OutcomeKind::kOk;
  record.created = 2;
  record.steps = 20;
  record.decision_hash = order.key.index;
  const uint64_t loop = spins(order);
  const std::vector<uint64_t> known = loads_of(order);
  if (loop != 0 && std::ranges::find(known, loop) == known.end()) record.spin_loops.push_back(loop_at(loop));
  return record;
}

struct Seen {
  std::map<uint64_t, std::vector<uint64_t>> loads;  // by index
  uint64_t profilings = 0;
};

// With so many workers, whose runs end in any order.
template <typename Spins>
Seen drive(Campaign& campaign, size_t workers, Spins&& spins) {
  Seen seen;
  Rng rng(workers);
  std::vector<RunOrder> busy;
  for (;;) {
    while (busy.size() < workers) {
      const std::optional<RunOrder> order = campaign.next();
      if (!order) break;
      busy.push_back(*order);
    }
    if (busy.empty()) return seen;
    std::swap(busy[rng.below(busy.size())], busy.back());
    const RunOrder order = busy.back();
    busy.pop_back();
    order.profiling ? void(++seen.profilings) : void(seen.loads[order.key.index] = loads_of(order));
    campaign.finished(order, run_of(order, spins), false);
  }
}

TEST(SpinLoads, AreFrozenPerEpochForAnyNumberOfWorkers) {
  const auto spins = [](const RunOrder& order) {
    return order.profiling ? 0 : (order.key.index == 20 ? 200 : order.key.index == 5 ? uint64_t{50} : 0);
  };
  Campaign one(plan_of(100));
  const Seen alone = drive(one, 1, spins);
  for (uint64_t index = 0; index < 100; ++index) {
    std::vector<uint64_t> wanted;
    if (index >= 8) wanted.push_back(50);
    if (index >= 32) wanted.push_back(200);
    EXPECT_EQ(alone.loads.at(index), wanted) << index;
  }
  for (size_t workers : {2, 5}) {
    Campaign campaign(plan_of(100));
    EXPECT_EQ(drive(campaign, workers, spins).loads, alone.loads) << workers;
  }
}

TEST(SpinLoads, ProfilingIsDoneOnceMoreWithThem) {
  const auto spins = [](const RunOrder&) { return uint64_t{50}; };
  Campaign campaign(plan_of(10));
  const Seen seen = drive(campaign, 3, spins);
  EXPECT_EQ(seen.profilings, 6u);
  for (const auto& [index, loads] : seen.loads) EXPECT_THAT(loads, testing::ElementsAre(50)) << index;
  Campaign other(plan_of(10));
  EXPECT_EQ(drive(other, 3, [](const RunOrder&) { return uint64_t{0}; }).profilings, 3u);
}

TEST(SpinLoads, OneThatCouldNotBePatchedIsNoPoint) {
  Campaign campaign(plan_of(1));
  RunOrder order = *campaign.next();
  record::RunRecord record = run_of(order, [](const RunOrder&) { return uint64_t{50}; });
  campaign.finished(order, record, false);
  ASSERT_EQ(campaign.spin_loops().size(), 1u);
  EXPECT_EQ(campaign.spin_loops()[0].load.offset, 50u);
  order = *campaign.next();
  order.spin_loads = std::make_shared<const record::SharedPlaces>(std::vector<SharedPlace>{{kFile, 50}});
  campaign.finished(order, record, false);
  EXPECT_EQ(campaign.spin_loops()[0].load.module, 0u);
}

}  // namespace
}  // namespace snarl::explore
