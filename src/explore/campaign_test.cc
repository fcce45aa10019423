#include "explore/campaign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/rng.h"
#include "explore/policy_spec.h"

namespace snarl {
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

// A pretended run: its size depends on nothing but the ticket.
RunRecord run_of(const Ticket& ticket) {
  RunRecord record;
  record.index = ticket.index;
  record.outcome = OutcomeKind::kOk;
  record.created = 2 + static_cast<uint32_t>(mix64(ticket.index) % 3);
  record.steps = 20 + mix64(ticket.seed ^ ticket.index) % 50;
  record.decision_hash = mix64(ticket.index % 100);
  return record;
}

using Orders = std::map<uint64_t, std::pair<uint32_t, Step>>;  // by index: the profile that it was run with

// Runs the campaign with so many workers that finish in random order.
template <typename Run>
Orders drive(Campaign& campaign, size_t workers, Run&& run) {
  Orders orders;
  Rng rng(workers);
  std::vector<Ticket> busy;
  while (!campaign.done()) {
    while (busy.size() < workers) {
      const std::optional<Ticket> ticket = campaign.next();
      if (!ticket) break;
      busy.push_back(*ticket);
      if (!ticket->profiling) orders[ticket->index] = {ticket->profile.threads, ticket->profile.steps};
    }
    if (busy.empty()) break;
    std::swap(busy[rng.below(busy.size())], busy.back());
    const Ticket ticket = busy.back();
    busy.pop_back();
    campaign.finished(ticket, run(ticket));
  }
  return orders;
}

// Whichever worker is faster, the first failure of a policy is the one with the smallest index.
TEST(Campaign, TheFirstFailureOfAPolicyDoesNotDependOnTheWorkers) {
  for (const size_t workers : {1u, 2u, 7u}) {
    Campaign campaign(plan_of(400, true));
    drive(campaign, workers, [](const Ticket& ticket) {
      RunRecord record = run_of(ticket);
      const bool fails = !ticket.profiling && (ticket.index % 2 == 0 ? ticket.index > 20 : ticket.index > 100);
      if (fails) record.outcome = OutcomeKind::kDeadlock;
      return record;
    });
    ASSERT_EQ(campaign.tallies().size(), 2u);
    EXPECT_EQ(campaign.tallies()[0].schedules, 200u);
    EXPECT_EQ(campaign.tallies()[0].failing, 189u);
    EXPECT_EQ(campaign.tallies()[0].first_failing, 22u);
    EXPECT_EQ(campaign.tallies()[1].first_failing, 101u);
  }
  Campaign nothing(plan_of(10));
  drive(nothing, 2, run_of);
  EXPECT_FALSE(nothing.tallies()[0].first_failing);
}

TEST(Campaign, RunsWithTimeoutsDoNotCountForTheBound) {
  const auto counted = [](uint64_t timeouts) {
    Campaign campaign(plan_of(40));
    drive(campaign, 1, [&](const Ticket& ticket) {
      RunRecord record = run_of(ticket);
      record.created = 2;
      record.steps = 20;
      record.timeouts = timeouts;
      return record;
    });
    return campaign.tallies()[1].bound->counted();
  };
  EXPECT_EQ(counted(0), 20u);
  EXPECT_EQ(counted(1), 0u);
}

TEST(Campaign, ProfilesDoNotDependOnTheNumberOfWorkers) {
  Campaign one(plan_of(2000)), seven(plan_of(2000));
  const Orders orders = drive(one, 1, run_of);
  EXPECT_EQ(orders, drive(seven, 7, run_of));
  ASSERT_EQ(orders.size(), 2000u);
  ASSERT_EQ(one.epochs().size(), 3u);
  EXPECT_EQ(one.epochs()[0].first_index, 0u);
  EXPECT_EQ(one.epochs()[1].first_index, 64u);
  EXPECT_EQ(one.epochs()[2].first_index, 1024u);
  EXPECT_EQ(one.distinct(), 100u);
}

TEST(Campaign, ChoosesTheSameSamples) {
  Campaign one(plan_of(500)), five(plan_of(500));
  drive(one, 1, run_of);
  drive(five, 5, run_of);
  std::vector<uint64_t> a, b;
  for (const Sample& sample : one.samples()) a.push_back(sample.ticket.index);
  for (const Sample& sample : five.samples()) b.push_back(sample.ticket.index);
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
  const auto fails_from_20 = [](const Ticket& ticket) {
    RunRecord record = run_of(ticket);
    if (!ticket.profiling && ticket.index >= 20) record.outcome = OutcomeKind::kExit;
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
  const Orders orders = drive(campaign, 3, [](const Ticket& ticket) {
    RunRecord record = run_of(ticket);
    if (ticket.index % 10 == 3) record.outcome = OutcomeKind::kSignal;
    return record;
  });
  EXPECT_EQ(orders.size(), 100u);
  EXPECT_EQ(campaign.failing(), 10u);
}

TEST(Campaign, RunsLostOnesAgainThreeTimes) {
  Campaign campaign(plan_of(10));
  int tries = 0;
  drive(campaign, 2, [&](const Ticket& ticket) {
    RunRecord record = run_of(ticket);
    if (!ticket.profiling && ticket.index == 4) record.outcome = OutcomeKind::kNone, ++tries;
    return record;
  });
  EXPECT_EQ(tries, Campaign::kMostLosses);
  EXPECT_EQ(campaign.lost(), 3u);
  EXPECT_EQ(campaign.schedules(), 9u);
}

TEST(Campaign, LimitsSayNothingAboutTheSize) {
  Campaign campaign(plan_of(70, true));
  drive(campaign, 1, [](const Ticket& ticket) {
    RunRecord record = run_of(ticket);
    if (ticket.index == 5) record.outcome = OutcomeKind::kTimeout, record.steps = 1'000'000;
    return record;
  });
  EXPECT_LT(campaign.most_steps(), 100u);
}

TEST(Campaign, ProfilingRunsHaveOtherSeeds) {
  Campaign campaign(plan_of(1));
  EXPECT_NE(campaign.next()->seed, 7u);
}

}  // namespace
}  // namespace snarl
