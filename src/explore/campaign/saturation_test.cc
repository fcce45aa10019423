#include "explore/campaign/saturation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"
#include "explore/campaign/campaign.h"
#include "explore/target/policy_spec.h"
#include "schedule/epochs.h"

namespace snarl::explore {
namespace {

// Of so many policies in turn, all drawn alike.
Saturation of(size_t policies) { return Saturation(Rota(policies), std::vector<bool>(policies, true)); }

// Draws from `weights`, by their sums.
class Urn {
 public:
  Urn(std::vector<double> weights, uint64_t seed) : sums_(std::move(weights)), rng_(seed) {
    std::partial_sum(sums_.begin(), sums_.end(), sums_.begin());
  }
  uint64_t draw() {
    const double at = static_cast<double>(rng_.below(uint64_t{1} << 53)) / 0x1p53 * sums_.back();
    return static_cast<uint64_t>(std::ranges::upper_bound(sums_, at) - sums_.begin());
  }

 private:
  std::vector<double> sums_;
  Rng rng_;
};

std::vector<double> uniform(size_t size) { return std::vector<double>(size, 1.0); }

// As schedules are: few orders are drawn often, most of them rarely.
std::vector<double> skewed(size_t size) {
  std::vector<double> weights;
  for (size_t i = 1; i <= size; ++i) weights.push_back(1.0 / static_cast<double>(i));
  return weights;
}

report::SeenOrders after(const std::vector<double>& weights, uint64_t draws, uint64_t seed) {
  Urn urn(weights, seed);
  Saturation saturation = of(1);
  for (uint64_t i = 0; i < draws; ++i) saturation.note(i, urn.draw());
  return saturation.sum_up(draws);
}

// 200 independent estimates: the mean of them, in parts of what there is.
double mean_estimate(const std::vector<double>& weights, uint64_t draws) {
  double sum = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const report::SeenOrders orders = after(weights, draws, seed);
    sum += static_cast<double>(orders.distinct + orders.left);
  }
  return sum / 200 / static_cast<double>(weights.size());
}

// Where all orders are alike the bound is tight. The standard deviation of the mean is below 0.01 at one draw per order
// and falls from there: 0.1 is ten of them.
TEST(Saturation, UniformSizesAreFound) {
  for (const size_t size : {50u, 300u, 1000u})
    for (const uint64_t draws : {size, 2 * size, 5 * size})
      EXPECT_NEAR(mean_estimate(uniform(size), draws), 1.0, 0.1) << size << " " << draws;
}

// Where they are not, it stays below what there is, and above what was seen. The mean never exceeds the size by ten of
// its standard deviations.
TEST(Saturation, SkewedSizesAreBoundedFromBelow) {
  const std::vector<double> weights = skewed(1000);
  double before = 0;
  for (const uint64_t draws : {100u, 1000u, 10'000u}) {
    const double mean = mean_estimate(weights, draws);
    EXPECT_LT(mean, 1.1) << draws;
    EXPECT_GT(mean, before) << draws;
    before = mean;
  }
  EXPECT_GT(before, 0.85);
  EXPECT_GT(after(weights, 1000, 1).left, 100u);
}

TEST(Saturation, NothingIsLeftWhenAllWasSeenOften) {
  const report::SeenOrders orders = after(uniform(20), 5000, 1);
  EXPECT_EQ(orders.schedules, 5000u);
  EXPECT_EQ(orders.distinct, 20u);
  EXPECT_EQ(orders.left, 0u);
  EXPECT_GT(orders.quiet, 4000u) << "20 orders have all been seen after 1,000 draws, but for a chance of 1e-20";
}

TEST(Saturation, FewRunsSayNothing) { EXPECT_EQ(after(uniform(1000), 20, 1).left, 0u); }

TEST(Saturation, SaysSinceWhenNothingIsNew) {
  Saturation saturation = of(1);
  for (uint64_t i = 0; i < 50; ++i) saturation.note(i, i < 10 ? i : 3);
  EXPECT_EQ(saturation.sum_up(50).quiet, 40u);
  EXPECT_EQ(saturation.sum_up(60).quiet, 50u) << "runs without a hash showed nothing new, either";
}

// What finishes first depends on the workers.
TEST(Saturation, TheOrderInWhichRunsFinishDoesNotMatter) {
  std::vector<uint64_t> indices(500);
  std::iota(indices.begin(), indices.end(), 0);
  Saturation forward = of(3), backward = of(3);
  for (const uint64_t i : indices) forward.note(i, i * i % 41);
  std::ranges::reverse(indices);
  for (const uint64_t i : indices) backward.note(i, i * i % 41);
  const report::SeenOrders a = forward.sum_up(500), b = backward.sum_up(500);
  EXPECT_EQ(a.distinct, b.distinct);
  EXPECT_EQ(a.left, b.left);
  EXPECT_EQ(a.quiet, b.quiet);
}

// An order that one policy hardly ever draws is not news if another draws it all the time.
TEST(Saturation, WhatOnePolicyMissesAnotherMayHaveSeen) {
  Urn rare(skewed(200), 1), all(uniform(200), 2);
  Saturation alone = of(1), both = of(2);
  for (uint64_t i = 0; i < 300; ++i) {
    const uint64_t order = rare.draw();
    alone.note(i, order);
    both.note(2 * i, order);
  }
  for (uint64_t i = 0; i < 3000; ++i) both.note(2 * i + 1, all.draw());
  EXPECT_GT(alone.sum_up(300).left, 10u);
  EXPECT_EQ(both.sum_up(6000).left, 0u);
}

// The next epoch is drawn otherwise: its counts are its own, and the bound of the one before holds on.
TEST(Saturation, EpochsAreCountedEachForItself) {
  Urn first(uniform(1000), 1), second(uniform(10), 2);
  Saturation saturation = of(1);
  for (uint64_t i = 0; i < 500; ++i) saturation.note(i, first.draw());
  const uint64_t left = saturation.sum_up(500).left;
  EXPECT_GT(left, 300u);
  saturation.begin_epoch();
  for (uint64_t i = 500; i < 1000; ++i) saturation.note(i, second.draw());
  EXPECT_NEAR(static_cast<double>(saturation.sum_up(1000).left), static_cast<double>(left), 11);
  saturation.begin_epoch();
  EXPECT_EQ(saturation.sum_up(1000).left, 0u);
}

// The counts against a count by hand.
TEST(OrderTally, CountsWhatWasSeenOnceAndTwice) {
  Rng rng(7);
  OrderTally tally;
  std::map<uint64_t, uint64_t> times;
  for (int i = 0; i < 400; ++i) tally.add(times[rng.below(150)]++);
  EXPECT_EQ(tally.runs, 400u);
  EXPECT_EQ(tally.distinct, times.size());
  const auto seen = [&](uint64_t often) {
    return static_cast<uint64_t>(std::ranges::count_if(times, [=](const auto& t) { return t.second == often; }));
  };
  EXPECT_EQ(tally.once, seen(1));
  EXPECT_EQ(tally.twice, seen(2));
}

// Runs the campaign, one run after the other; `order_of` says the hash of a run that is to have one.
template <typename OrderOf>
Campaign driven(const CampaignPlan& plan, const RunSettings& settings, const OrderOf& order_of) {
  Campaign campaign(plan, settings);
  while (const std::optional<RunOrder> order = campaign.next()) {
    record::RunRecord record;
    record.outcome = OutcomeKind::kOk;
    record.created = 2;
    record.steps = 30;
    record.accesses = 100;
    record.decision_hash = order->key.index;
    record.order_hash = order->settings.orders ? order_of(order->key.index) : 0;
    EXPECT_FALSE(order->settings.orders && (order->settings.all_memory || order->settings.parallel));
    campaign.finished(*order, record, false);
  }
  return campaign;
}

CampaignPlan plan_of(std::vector<const char*> policies) {
  CampaignPlan plan;
  for (const char* policy : policies) plan.policies.push_back(*parse_policy(policy));
  plan.profilers = {*parse_policy("random")};
  plan.schedules = 4000;
  return plan;
}

TEST(CampaignOrders, AreCountedAndLeft) {
  const auto order_of = [](uint64_t index) { return mix64(1 + mix64(index) % 300); };
  const Campaign campaign = driven(plan_of({"random", "pos"}), {}, order_of);
  EXPECT_EQ(campaign.distinct(), 4000u);
  EXPECT_EQ(campaign.orders().schedules, 4000u);
  EXPECT_EQ(campaign.distinct_orders(), 300u);
  EXPECT_EQ(campaign.orders().left, 0u);
  EXPECT_GT(campaign.orders().quiet, 0u);
  CampaignPlan plan = plan_of({"random"});
  plan.orders = false;
  EXPECT_EQ(driven(plan, {}, order_of).orders().schedules, 0u);
}

// Of parallel runs there is no order, and where every access is a point it is another. Of runs with memory points some
// are looked at, of each policy.
TEST(CampaignOrders, AreOfRunsThatCanBeCompared) {
  EXPECT_EQ(driven(plan_of({"random", "ppct:depth=2"}), {}, mix64).orders().schedules, 2000u);
  const RunSettings memory{.points = kDefaultPoints | kMemoryPoints};
  std::map<uint64_t, uint64_t> by_policy;
  const Campaign campaign = driven(plan_of({"random", "pos"}), memory, [&](uint64_t index) {
    ++by_policy[index % 2];
    return mix64(index);
  });
  EXPECT_GT(campaign.all_memory_schedules(), 400u);
  EXPECT_EQ(by_policy[0], by_policy[1]);
  EXPECT_EQ(campaign.orders().schedules, by_policy[0] + by_policy[1]);
  EXPECT_GT(campaign.orders().schedules, 4000 / kOrderedEvery);
  EXPECT_LT(campaign.orders().schedules, 1000u);
}

// What comes back from ranges is what is known of them.
TEST(CampaignOrders, OfRangesAreTakenOver) {
  CampaignPlan plan = plan_of({"random"});
  plan.ranges = true;
  plan.profilers.clear();
  Campaign campaign(plan);
  const std::optional<RunOrder> order = campaign.next();
  ASSERT_TRUE(order && order->range != nullptr);
  EXPECT_EQ(order->range->orders, 1u);
  RangeSum sum;
  sum.state.schedules = 4000;
  sum.orders = {.runs = 500, .distinct = 40, .last_new = 2999, .tallies = {{500, 40, 10, 4}}};
  campaign.finished(*order, sum);
  const report::SeenOrders orders = campaign.orders();
  EXPECT_EQ(orders.schedules, 500u);
  EXPECT_EQ(orders.distinct, 40u);
  EXPECT_EQ(orders.left, 8u) << "499/500 * 10 * 9 / (2 * 5)";
  EXPECT_EQ(orders.quiet, 1000u);
}

}  // namespace
}  // namespace snarl::explore
