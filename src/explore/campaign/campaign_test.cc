#include "explore/campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/hash.h"
#include "base/rng.h"
#include "explore/target/policy_spec.h"

namespace snarl::explore {
namespace {

CampaignPlan plan_of(uint64_t schedules, bool keep_going = false) {
  CampaignPlan plan;
  plan.seed = 7;
  plan.policies = {*parse_policy("random"), *parse_policy("pct:depth=2")};
  plan.profilers.assign(3, *parse_policy("random"));
  plan.schedules = schedules;
  plan.keep_going = keep_going;
  return plan;
}

RunSettings with_memory_points() { return {.points = kDefaultPoints | kMemoryPoints}; }

// A pretended run: its size depends on nothing but the order.
record::RunRecord run_of(const RunOrder& order) {
  record::RunRecord record;
  record.key.index = order.key.index;
  record.outcome = OutcomeKind::kOk;
  record.created = 2 + static_cast<uint32_t>(mix64(order.key.index) % 3);
  record.steps = 20 + mix64(order.key.seed ^ order.key.index) % 50;
  record.decision_hash = mix64(order.key.index % 100);
  return record;
}

using Orders = std::map<uint64_t, std::pair<uint32_t, Step>>;  // by index: the profile that it was run with

// Runs the campaign with so many workers that finish in random order.
template <typename Run>
Orders drive(Campaign& campaign, size_t workers, Run&& run) {
  Orders orders;
  Rng rng(workers);
  std::vector<RunOrder> busy;
  while (!campaign.done()) {
    while (busy.size() < workers) {
      const std::optional<RunOrder> order = campaign.next();
      if (!order) break;
      busy.push_back(*order);
      if (!order->profiling) orders[order->key.index] = {order->key.profile.threads, order->key.profile.steps};
    }
    if (busy.empty()) break;
    std::swap(busy[rng.below(busy.size())], busy.back());
    const RunOrder order = busy.back();
    busy.pop_back();
    const record::RunRecord record = run(order);
    campaign.finished(order, record, is_failure(record.outcome));
  }
  return orders;
}

// Which accesses are points is frozen per epoch, whatever the workers do: it is what the runs before it have shown.
TEST(Campaign, SharedPlacesAreFrozenPerEpoch) {
  std::map<uint64_t, std::vector<SharedPlace>> first;
  for (const size_t workers : {1u, 3u, 8u}) {
    CampaignPlan plan = plan_of(1100, true);
    Campaign campaign(plan, with_memory_points());
    std::map<uint64_t, std::vector<SharedPlace>> used;
    int profiling = 0;
    drive(campaign, workers, [&](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      record.learned = record::SharedPlaces({{1, order.profiling ? order.key.index : 10 + order.key.index}});
      EXPECT_NE(order.settings.learning, Learning::kNothing) << order.key.index;
      if (order.profiling)
        EXPECT_EQ(order.settings.learning == Learning::kProfile, ++profiling <= 3);
      else if (!order.settings.all_memory)
        used[order.key.index] = order.places->all();
      return record;
    });
    EXPECT_EQ(profiling, 6) << "three to learn, three that show how long a run is with what was learned";
    EXPECT_EQ(used[0].size(), 6u);
    for (uint64_t boundary = 1; boundary <= 1024; boundary *= 2) EXPECT_EQ(used[boundary].size(), 6u + boundary);
    for (uint64_t boundary = 2; boundary <= 512; boundary *= 2)
      EXPECT_EQ(used[boundary + boundary / 2], used[boundary]) << "the last ones may have all points";
    if (first.empty()) first = used;
    EXPECT_EQ(used, first);
  }
}

// Whichever worker is faster, the first failure of a policy is the one with the smallest index.
TEST(Campaign, TheFirstFailureOfAPolicyDoesNotDependOnTheWorkers) {
  for (const size_t workers : {1u, 2u, 7u}) {
    Campaign campaign(plan_of(400, true));
    drive(campaign, workers, [](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      const bool fails = !order.profiling && (order.key.index % 2 == 0 ? order.key.index > 20 : order.key.index > 100);
      if (fails) record.outcome = OutcomeKind::kDeadlock;
      return record;
    });
    ASSERT_EQ(campaign.tallies().size(), 2u);
    EXPECT_EQ(campaign.tallies()[0].schedules, 200u);
    EXPECT_EQ(campaign.tallies()[0].failing, 189u);
    EXPECT_EQ(*campaign.tallies()[0].failing_at.begin(), 22u);
    EXPECT_EQ(*campaign.tallies()[1].failing_at.begin(), 101u);
  }
  Campaign nothing(plan_of(10));
  drive(nothing, 2, run_of);
  EXPECT_TRUE(nothing.tallies()[0].failing_at.empty());
}

// Leaving out runs for what they drew would leave out those that miss.
TEST(Campaign, EveryRunCountsForTheBound) {
  Campaign campaign(plan_of(100));
  drive(campaign, 2, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.created = 2;
    record.steps = 20;
    record.timeouts = record.deadlines =
        order.key.index % 4 == 1 ? 1 : 0;  // of the pct runs (odd indices), every second
    record.overrides = record.passed_over = order.key.index == 5 ? 1 : 0;
    record.repeatable = order.key.index != 7;
    return record;
  });
  const Claim claim = campaign.tallies()[1].bound->claim(0);
  EXPECT_EQ(claim.counted, 50u);
  EXPECT_EQ(claim.threads, 2u);
  EXPECT_EQ(claim.met.time_out, 25u);
  EXPECT_EQ(claim.met.starvation, 1u);
  EXPECT_EQ(claim.met.passed_over, 1u);
  EXPECT_EQ(claim.met.watchdog, 1u);
  EXPECT_TRUE(campaign.saw_deadlines());
  EXPECT_FALSE(campaign.any_failed());
}

// The first epoch was planned with less than the second: its runs say nothing about bugs that need more.
TEST(Campaign, TheBoundNamesWhatItsRunsWerePlannedWith) {
  Campaign campaign(plan_of(400));
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.created = 2;
    record.steps = !order.profiling && order.key.index >= 60 ? 90 : 20;
    return record;
  });
  const Claim claim = campaign.tallies()[1].bound->claim(0);
  EXPECT_EQ(claim.steps, 90u);
  const auto grown =
      std::ranges::find_if(campaign.epochs(), [](const EpochProfile& e) { return e.profile.steps == 90; });
  ASSERT_NE(grown, campaign.epochs().end());
  EXPECT_EQ(claim.counted, (400 - grown->first_index) / 2);
}

// Few threads are made ready anyway: the profile says nothing of them.
TEST(Campaign, ManyThreadsAtOnceArePlannedWith) {
  for (const uint32_t at_once : {kFewAtOnce, kFewAtOnce + 1}) {
    Campaign campaign(plan_of(100));
    drive(campaign, 1, [&](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      record.created = 500;
      record.at_once = at_once;
      return record;
    });
    EXPECT_EQ(campaign.epochs().back().profile.at_once, at_once > kFewAtOnce ? at_once : 0);
  }
}

TEST(Campaign, StacksThatThreadsAskForArePlannedWith) {
  Campaign campaign(plan_of(100));
  drive(campaign, 1, [&](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.own_stacks[0] = {.size = 1 << 16, .guard_size = 4096, .at_once = 2, .threads = order.profiling ? 3u : 4u};
    return record;
  });
  const Profile& first = campaign.epochs().front().profile;
  const Profile& last = campaign.epochs().back().profile;
  EXPECT_EQ(first.own_stacks[0], (OwnStacks{.size = 1 << 16, .guard_size = 4096, .threads = 3}));
  EXPECT_EQ(last.own_stacks[0].threads, 4u);
  EXPECT_FALSE(need_same_stacks(first, last));
}

TEST(Campaign, SizesThatAreGivenArePlannedWith) {
  CampaignPlan plan = plan_of(100);
  plan.policies = {*parse_policy("pct:depth=2,threads=4,steps=500"), *parse_policy("ppct:depth=2,steps=600")};
  Campaign campaign(plan);
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.created = 3;
    record.steps = 20;
    if (order.profiling) return record;
    EXPECT_EQ(order.key.profile.threads, order.key.index % 2 == 0 ? 4u : 3u);
    EXPECT_EQ(order.key.profile.steps, order.key.index % 2 == 0 ? 500u : 600u);
    EXPECT_DOUBLE_EQ(order.settings.fairness, 0.05 / static_cast<double>(order.key.profile.steps));
    return record;
  });
  EXPECT_EQ(campaign.tallies()[0].bound->claim(0).counted, 50u);
  EXPECT_EQ(campaign.tallies()[0].bound->claim(0).threads, 4u);
  EXPECT_EQ(campaign.tallies()[1].bound->claim(0).steps, 600u);
}

TEST(Campaign, ProfilesDoNotDependOnTheNumberOfWorkers) {
  Campaign one(plan_of(2000)), seven(plan_of(2000));
  const Orders orders = drive(one, 1, run_of);
  EXPECT_EQ(orders, drive(seven, 7, run_of));
  ASSERT_EQ(orders.size(), 2000u);
  ASSERT_EQ(one.epochs().size(), 12u);
  EXPECT_EQ(one.epochs()[0].first_index, 0u);
  for (size_t epoch = 1; epoch < 12; ++epoch) EXPECT_EQ(one.epochs()[epoch].first_index, uint64_t{1} << (epoch - 1));
  EXPECT_EQ(one.distinct(), 100u);
}

TEST(Campaign, ChoosesTheSameSamples) {
  Campaign one(plan_of(500)), five(plan_of(500));
  drive(one, 1, run_of);
  drive(five, 5, run_of);
  std::vector<uint64_t> a, b;
  for (const Sample& sample : one.samples()) a.push_back(sample.order.key.index);
  for (const Sample& sample : five.samples()) b.push_back(sample.order.key.index);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.size(), Campaign::kSamples);
}

TEST(Campaign, TakesPoliciesInTurn) {
  Campaign campaign(plan_of(10));
  drive(campaign, 2, run_of);
  EXPECT_EQ(campaign.tallies()[0].schedules, 5u);
  EXPECT_EQ(campaign.tallies()[1].schedules, 5u);
  EXPECT_FALSE(campaign.tallies()[0].bound);
  ASSERT_TRUE(campaign.tallies()[1].bound);
  EXPECT_EQ(campaign.tallies()[1].bound->depth(), 2);
}

TEST(Campaign, FinishesEverythingBelowAFailure) {
  const auto fails_from_20 = [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (!order.profiling && order.key.index >= 20) record.outcome = OutcomeKind::kExit;
    return record;
  };
  for (size_t workers : {1u, 2u, 9u}) {
    Campaign campaign(plan_of(0));
    const Orders orders = drive(campaign, workers, fails_from_20);
    for (uint64_t i = 0; i <= 20; ++i) EXPECT_TRUE(orders.contains(i)) << i;
    EXPECT_LE(orders.rbegin()->first, 20 + workers);
    EXPECT_GT(campaign.finished_below(), 20u);
  }
}

TEST(Campaign, GoesOnWhenToldTo) {
  Campaign campaign(plan_of(100, true));
  const Orders orders = drive(campaign, 3, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (order.key.index % 10 == 3) record.outcome = OutcomeKind::kSignal;
    return record;
  });
  EXPECT_EQ(orders.size(), 100u);
  EXPECT_EQ(campaign.failing(), 10u);
}

TEST(Campaign, RunsLostOnesAgain) {
  Campaign campaign(plan_of(10));
  std::vector<int> losses;
  drive(campaign, 2, [&](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (order.profiling || order.key.index != 4) return record;
    losses.push_back(order.losses);
    if (order.losses < 2) record.outcome = OutcomeKind::kNone;
    return record;
  });
  EXPECT_EQ(losses, (std::vector{0, 1, 2}));
  EXPECT_EQ(campaign.lost(), 2u);
  EXPECT_EQ(campaign.schedules(), 10u);
}

// Some workers take several orders at once, and may begin only the first ones.
template <typename Run>
Orders drive_in_series(Campaign& campaign, size_t workers, Run&& run) {
  Orders orders;
  Rng rng(workers);
  std::vector<std::vector<RunOrder>> busy(workers);
  const auto hand_out = [&](std::vector<RunOrder>& series, size_t room) {
    for (std::optional<RunOrder> order; series.size() < room && (order = campaign.next());) {
      if (order->profiling && !series.empty()) return campaign.give_back(*order);
      series.push_back(*order);
      if (order->profiling) return;
    }
  };
  const auto finish = [&](const std::vector<RunOrder>& series) {
    const size_t begun = 1 + rng.below(series.size());
    bool fails = false;
    for (size_t i = 0; i < begun && !fails; ++i) {
      const record::RunRecord record = run(series[i]);
      const Profile& profile = series[i].key.profile;
      if (!series[i].profiling) orders[series[i].key.index] = {profile.threads, profile.steps};
      fails = is_failure(record.outcome);
      campaign.finished(series[i], record, fails);
      if (i + 1 == begun || fails)
        for (size_t rest = i + 1; rest < series.size(); ++rest) campaign.give_back(series[rest]);
    }
  };
  while (!campaign.done()) {
    for (std::vector<RunOrder>& series : busy)
      if (series.empty()) hand_out(series, 1 + rng.below(20));
    const auto some = std::ranges::find_if(busy, [](const auto& series) { return !series.empty(); });
    if (some == busy.end()) break;
    finish(*some);
    some->clear();
    std::swap(*some, busy[rng.below(busy.size())]);
  }
  return orders;
}

TEST(Campaign, WhatWasNotBegunIsHandedOutAgain) {
  Campaign one(plan_of(700));
  const Orders expected = drive(one, 1, run_of);
  for (const size_t workers : {1u, 2u, 5u}) {
    Campaign campaign(plan_of(700));
    EXPECT_EQ(drive_in_series(campaign, workers, run_of), expected) << workers;
    EXPECT_EQ(campaign.schedules(), 700u);
    EXPECT_EQ(campaign.handed_out(), 700u);
    EXPECT_TRUE(campaign.missing().empty());
  }
}

// All below the first failure are run, and, by one worker, nothing above it.
TEST(Campaign, NothingAboveAFailureIsBegunAgain) {
  for (const size_t workers : {1u, 4u}) {
    Campaign campaign(plan_of(700));
    const Orders orders = drive_in_series(campaign, workers, [](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      if (!order.profiling && order.key.index == 300) record.outcome = OutcomeKind::kSignal;
      return record;
    });
    for (uint64_t index = 0; index <= 300; ++index) EXPECT_TRUE(orders.contains(index)) << index;
    EXPECT_EQ(campaign.failing(), 1u);
    EXPECT_EQ(campaign.outstanding(), 0u);
    if (workers == 1) {
      EXPECT_EQ(campaign.handed_out(), 301u);
    }
  }
}

// random draws each of three schedules, pct new ones up to its 500th: each stops on its own, and then it is over.
TEST(Campaign, EndsWhenNoPolicyDrawsAnythingNew) {
  Orders first;
  for (const size_t workers : {1u, 2u, 7u}) {
    Campaign campaign(plan_of(0));
    const Orders orders = drive(campaign, workers, [](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      const bool pct = order.key.index % 2 == 1;
      record.decision_hash = mix64(pct && order.key.turn < 500 ? order.key.index : order.key.index % 3);
      return record;
    });
    if (workers == 1) first = orders;
    EXPECT_EQ(orders, first) << workers;
    EXPECT_TRUE(campaign.is_exhausted());
    std::array<uint64_t, 2> runs{};
    for (const auto& [index, profile] : orders) ++runs[index % 2];
    EXPECT_GE(runs[0], kEnoughSeen);
    EXPECT_GE(runs[1], kEnoughSeen + 500);
    EXPECT_LE(runs[0], kEnoughSeen + Exhaustion::kInterval);
    EXPECT_LE(runs[1], kEnoughSeen + 500 + Exhaustion::kInterval);
  }
}

// One new schedule in 5,000 is enough to go on.
TEST(Campaign, GoesOnWhileThereIsSomethingNew) {
  Campaign campaign(plan_of(40'000));
  const Orders orders = drive(campaign, 2, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.decision_hash = mix64(order.key.turn % 5000 == 0 ? order.key.index : 1);
    return record;
  });
  EXPECT_EQ(orders.size(), 40'000u);
  EXPECT_FALSE(campaign.is_exhausted());
}

// What was drawn before says nothing about schedules with a point more.
TEST(Campaign, ANewPointBeginsTheCountAnew) {
  CampaignPlan plan = plan_of(0);
  Campaign campaign(plan, with_memory_points());
  const Orders orders = drive(campaign, 3, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.decision_hash = 1;
    if (order.key.index == 9000) record.learned = record::SharedPlaces({{1, 2}});
    return record;
  });
  EXPECT_GE(orders.size(), 9000 + 2 * kEnoughSeen);
}

TEST(Campaign, AParallelRunIsNeverKnownToBeOld) {
  Campaign campaign(plan_of(30'000));
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.parallel = true;
    return record;
  });
  EXPECT_EQ(campaign.schedules(), 30'000u);
}

// What a policy says of its schedules in its first run is honoured before it gets too many turns, with any number of
// workers.
TEST(Campaign, APolicyMayHaveFewSchedulesOnly) {
  for (const size_t workers : {1u, 2u, 7u}) {
    CampaignPlan plan = plan_of(200);
    plan.policies.assign(6, *parse_policy("random"));
    Campaign campaign(plan);
    std::array<uint64_t, 6> turns{};
    drive(campaign, workers, [&](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      const size_t policy = order.key.index % 6;
      if (!order.profiling) ++turns[policy];
      record.turns = policy == 1 || policy == 5 ? 1 : policy == 2 ? 3 : 0;
      return record;
    });
    EXPECT_THAT(turns, testing::ElementsAre(34, 1, 3, 33, 33, 1)) << workers;
    EXPECT_TRUE(campaign.is_exhausted(1) && campaign.is_exhausted(2) && campaign.is_exhausted(5));
    EXPECT_FALSE(campaign.is_exhausted());
  }
  CampaignPlan plan = plan_of(10);
  plan.policies = {*parse_policy("random")};
  Campaign alone(plan);
  const auto only_one = [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    record.turns = 1;
    return record;
  };
  EXPECT_EQ(drive(alone, 2, only_one).size(), 1u);
  EXPECT_TRUE(alone.is_exhausted());
}

TEST(Campaign, CountsRunsOverTheStepBudget) {
  CampaignPlan plan = plan_of(10);
  Campaign campaign(plan, {.step_budget = 1000});
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (order.profiling) return record;
    if (order.key.index == 2) record.steps = 1500;
    if (order.key.index == 3) record.steps = 11'000, record.outcome = OutcomeKind::kStepBudget;
    return record;
  });
  EXPECT_EQ(campaign.too_long(), 2u);
  EXPECT_EQ(campaign.longest(), 11'000u);
  EXPECT_EQ(campaign.most_steps(), 1000u);
  EXPECT_EQ(campaign.failing(), 0u);
}

TEST(Campaign, LimitsSayNothingAboutTheSize) {
  Campaign campaign(plan_of(70, true));
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (order.key.index == 5) record.outcome = OutcomeKind::kTimeout, record.steps = 1'000'000;
    return record;
  });
  EXPECT_LT(campaign.most_steps(), 100u);
}

// Rounds of a spin loop that only our mechanisms end are not steps to plan with.
TEST(Campaign, RunsThatMeetAMechanismSayNothingAboutK) {
  Campaign campaign(plan_of(70, true));
  drive(campaign, 1, [](const RunOrder& order) {
    record::RunRecord record = run_of(order);
    if (order.key.index == 5) record.passed_over = 1, record.steps = 10'000;
    if (order.key.index == 6) record.overrides = 1, record.steps = 10'000;
    return record;
  });
  EXPECT_EQ(campaign.most_steps(), 10'000u);
  EXPECT_LT(campaign.epochs().back().profile.steps, 100u);
}

// Where every run spins, one half is planned with all steps and the other without the rounds of the loops.
TEST(Campaign, WhereAllRunsSpinHalfAreNotPlannedWithTheRounds) {
  CampaignPlan plan = plan_of(64);
  plan.policies = {*parse_policy("pct:depth=2"), *parse_policy("random")};
  Campaign campaign(plan);
  std::map<Step, int> planned, drawn;
  drive(campaign, 1, [&](const RunOrder& order) {
    if (!order.profiling) ++(order.key.index % 2 == 0 ? planned : drawn)[order.key.profile.steps];
    record::RunRecord record = run_of(order);
    record.passed_over = 1, record.steps = 1'070, record.waiting_rounds = 1'050;
    return record;
  });
  EXPECT_EQ(planned, (std::map<Step, int>{{20, 16}, {1'070, 16}}));
  EXPECT_EQ(drawn, (std::map<Step, int>{{1'070, 32}})) << "a policy without a plan has no use for it";
}

TEST(Campaign, ProfilingRunsHaveOtherSeeds) {
  Campaign campaign(plan_of(1));
  EXPECT_NE(campaign.next()->key.seed, 7u);
}

// Fairness follows the k of the epoch unless it is given; a directive is never overruled.
TEST(Campaign, FairnessIsRareOrAsAsked) {
  CampaignPlan plan = plan_of(200);
  plan.policies = {*parse_policy("pct"), *parse_policy("obey:directive=x")};
  for (std::optional<double> asked : {std::optional<double>(), std::optional<double>(0.25), std::optional<double>(0)}) {
    plan.fairness = asked;
    Campaign campaign(plan);
    drive(campaign, 3, [&](const RunOrder& order) {
      if (order.profiling || order.key.index % 2 == 1) {
        EXPECT_EQ(order.settings.fairness, 0);
      } else {
        EXPECT_EQ(order.settings.fairness, asked.value_or(default_fairness(order.key.profile.steps)));
      }
      return run_of(order);
    });
  }
  EXPECT_EQ(default_fairness(10), 0.001);
  EXPECT_EQ(default_fairness(1'000'000), 0.05 / 1e6);
}

// What profiling runs count is merged, frozen, and given only to those who need it, with any number of workers.
// Groups are learned by all runs, handed out sorted, and only from the next epoch on; whatever the number of workers.
TEST(Campaign, GroupsGrowByEpoch) {
  std::vector<std::map<uint64_t, record::GroupNames>> handed;  // by index
  for (const size_t workers : {1u, 3u, 8u}) {
    CampaignPlan plan = plan_of(1100);
    plan.policies = {*parse_policy("noise-best:group=variable"), *parse_policy("random"), *parse_policy("noise-best")};
    Campaign campaign(plan);
    std::map<uint64_t, record::GroupNames> by_index;
    drive(campaign, workers, [&](const RunOrder& order) {
      const bool learns = order.profiling || order.key.index % 3 != 1;
      EXPECT_EQ(order.settings.listed_groups, learns ? 0b101u : 0u) << "places and variables";
      if (!order.profiling) {
        EXPECT_EQ(order.key.turn, order.key.index / 3);
        EXPECT_EQ(order.groups == nullptr, order.key.index % 3 == 1);
        if (order.groups) by_index[order.key.index] = *order.groups;
      }
      record::RunRecord record = run_of(order);
      const uint64_t name = order.profiling ? 100 + order.key.index : mix64(order.key.index / 10);
      for (GroupBy by : {GroupBy::kPlace, GroupBy::kVariable})
        record.groups.push_back({name + static_cast<uint64_t>(by), by, {}, {}});
      return record;
    });
    EXPECT_EQ(by_index[0], (record::GroupNames{102, 103, 104}));
    EXPECT_EQ(by_index[2].size(), 3u + 1);
    EXPECT_EQ(by_index[65].size(), 3u + 7);
    EXPECT_EQ(by_index[125], by_index[65]);
    EXPECT_EQ(by_index[1025].size(), 3u + 103);
    handed.push_back(by_index);
    EXPECT_EQ(campaign.epochs()[7].groups, 20u) << "from index 64 on";
  }
  EXPECT_EQ(handed[0], handed[1]);
  EXPECT_EQ(handed[0], handed[2]);
}

TEST(Campaign, NamedGroupsAreThatPolicysOnly) {
  CampaignPlan plan = plan_of(10);
  plan.policies = {*parse_policy("noise-contention:variable=x"), *parse_policy("noise-contention")};
  plan.profilers.clear();
  Campaign campaign(plan);
  campaign.name_groups(0, {5, 6});
  const RunOrder first = *campaign.next();
  EXPECT_EQ(*first.groups, (record::GroupNames{5, 6}));
  EXPECT_FALSE(campaign.next()) << "an epoch begins when all runs below have ended";
  campaign.finished(first, run_of(first), false);
  EXPECT_EQ(*campaign.next()->groups, record::GroupNames{});
}

// The counts of an epoch are the largest that any run before it has shown: profiling runs, and some of each epoch.
TEST(Campaign, CountsAreLearnedAnewAtEachEpoch) {
  CampaignPlan plan = plan_of(300);
  plan.policies = {*parse_policy("urw"), *parse_policy("random")};
  std::map<uint64_t, uint64_t> first;
  for (size_t workers : {1u, 4u}) {
    Campaign campaign(plan);
    std::map<uint64_t, uint64_t> events;  // of one thread, by index
    std::map<uint64_t, int> counting;     // runs, by epoch
    drive(campaign, workers, [&](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      if (order.settings.count) record.counts = {{{1, 0, 10 + order.key.index}}, {}};
      if (order.profiling) return record;
      EXPECT_EQ(order.counts == nullptr, order.key.index % 2 == 1);
      if (order.counts) events[order.key.index] = order.counts->threads.at(0).events;
      counting[order.key.profile.epoch] += order.settings.count ? 1 : 0;
      return record;
    });
    EXPECT_EQ(events[0], 12u) << "by the profiling runs";
    EXPECT_EQ(events[128], 10u + 64 + 2 * 8 - 2) << "by those that begin the epoch before";
    EXPECT_EQ(events[254], events[128]);
    for (const auto& [epoch, runs] : counting) EXPECT_LE(runs, 8) << epoch;
    if (first.empty()) first = events;
    EXPECT_EQ(events, first);
  }
}

// A share of the turns has a point at every access, if that is not too long: with a k of its own, no places, and
// nothing to say about the bound.
TEST(Campaign, SomeRunsHaveAllPoints) {
  for (const uint64_t accesses : {uint64_t{500}, uint64_t{100'000}}) {
    CampaignPlan plan = plan_of(400, true);
    plan.policies = {*parse_policy("pct:depth=1"), *parse_policy("ppct"), *parse_policy("noise-best")};
    Campaign campaign(plan, with_memory_points());
    std::set<uint64_t> most;
    drive(campaign, 3, [&](const RunOrder& order) {
      record::RunRecord record = run_of(order);
      record.created = 2, record.steps = 20;
      if (order.settings.learning == Learning::kProfile) record.accesses = accesses;
      if (order.settings.all_memory) record.steps = 700;
      if (order.profiling) return record;
      EXPECT_EQ(order.places == nullptr, order.settings.all_memory) << order.key.index;
      EXPECT_EQ(order.key.profile.steps, !order.settings.all_memory ? 20u
                                         : order.key.index < 32     ? 520u
                                                                    : 700u)
          << order.key.index;
      if (order.settings.learning == Learning::kAll) most.insert(order.key.index);
      EXPECT_EQ(order.settings.all_memory, accesses == 500 && most.contains(order.key.index)) << order.key.index;
      return record;
    });
    EXPECT_EQ(most.size(), (400u / 3 + 1) / 8);
    for (uint64_t index : most) EXPECT_EQ(index % 3 == 0 && index / 3 % 8 == 7, true) << index;
    EXPECT_EQ(campaign.all_memory_schedules(), accesses == 500 ? most.size() : 0);
    EXPECT_EQ(campaign.most_steps(), 20u);
    EXPECT_EQ(campaign.tallies()[0].bound->counted(),
              campaign.tallies()[0].schedules - campaign.all_memory_schedules());
  }
}

}  // namespace
}  // namespace snarl::explore
