// Campaigns and explorations whose executor makes many runs in one process. No process is started: a pretended executor
// answers from a function of the index.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "base/hash.h"
#include "explore/campaign/explorer.h"
#include "explore/target/policy_spec.h"
#include "schedule/epochs.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kSchedules = 300;

CampaignPlan plan_of(const char* policy, bool ranges) {
  CampaignPlan plan;
  plan.seed = 7;
  plan.policies = {*parse_policy(policy), *parse_policy("random")};
  plan.profilers.assign(3, *parse_policy("random"));
  plan.schedules = kSchedules;
  plan.ranges = ranges;
  return plan;
}

Step steps_at(uint64_t index) { return 20 + mix64(index) % 50; }

record::RunRecord run_of(const RunOrder& order) {
  record::RunRecord record;
  record.key = order.key;
  record.settings = order.settings;
  record.outcome = OutcomeKind::kOk;
  record.created = 2 + static_cast<uint32_t>(mix64(order.key.index) % 3);
  record.steps = steps_at(order.key.index);
  record.decision_hash = mix64(order.key.index);
  if (order.profiling) record.created = 2, record.steps = 10;  // there are more of them where ranges are counted for
  return record;
}

// The sum of the runs of a range, up to `end`, as a process would leave it that does not come to another epoch.
RangeSum sum_of(const RunOrder& range, uint64_t end) {
  RangeSum sum;
  wire::BatchState& state = sum.state;
  for (RunOrder order = range; order.key.index < end; ++order.key.index) {
    const record::RunRecord run = run_of(order);
    state.most_threads = std::max(state.most_threads, run.created);
    state.most_steps = std::max(state.most_steps, run.steps);
    ++state.schedules;
    if (state.samples == 0) state.sample[state.samples++] = {order.key, order.settings, run.decision_hash, run.steps};
  }
  state.boundary = range.range->boundary;
  state.profile = range.key.profile;
  state.is_done = 1;
  return sum;
}

using Profiles = std::map<uint64_t, std::pair<uint32_t, Step>>;

// By the first index of each epoch.
Profiles profiles_of(Campaign& campaign) {
  Profiles profiles;
  while (const std::optional<RunOrder> order = campaign.next()) {
    if (!order->profiling && profiles.empty() | (next_boundary(order->key.index / 2) == order->key.index))
      profiles[order->key.index] = {order->key.profile.threads, order->key.profile.steps};
    if (order->range)
      campaign.finished(*order, sum_of(*order, order->range->end));
    else
      campaign.finished(*order, run_of(*order), false);
  }
  return profiles;
}

// Policies with counts make a range end with its epoch.
TEST(Ranges, ArePlannedAsTheirRunsWouldBe) {
  Campaign one_by_one(plan_of("urw", false)), in_ranges(plan_of("urw", true));
  const Profiles expected = profiles_of(one_by_one), got = profiles_of(in_ranges);
  ASSERT_GE(got.size(), 9u);
  for (const auto& [index, profile] : got) EXPECT_EQ(profile, expected.at(index)) << index;
  EXPECT_EQ(in_ranges.schedules(), kSchedules);
  EXPECT_TRUE(in_ranges.done());
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(in_ranges.tallies()[i].schedules, one_by_one.tallies()[i].schedules);
}

// What comes after the profiling runs.
RunOrder first_range(Campaign& campaign) {
  for (int i = 0; i < 3; ++i) {
    const RunOrder profiling = *campaign.next();
    campaign.finished(profiling, run_of(profiling), false);
  }
  return *campaign.next();
}

TEST(Ranges, OneIsOutAtATime) {
  Campaign campaign(plan_of("pos", true));
  const RunOrder range = first_range(campaign);
  ASSERT_TRUE(range.range);
  EXPECT_EQ(range.range->end, kSchedules) << "n and k are all that the next epoch takes";
  EXPECT_FALSE(campaign.next());
  EXPECT_EQ(campaign.outstanding(), 1u);
}

TEST(Ranges, TheRunThatEndedOneIsFinishedByItself) {
  Campaign campaign(plan_of("pos", true));
  const RunOrder range = first_range(campaign);
  campaign.finished(range, sum_of(range, 10));
  RunOrder last = range;
  last.range = nullptr;
  last.key.index = 10;
  campaign.ended_range(last);
  record::RunRecord record = run_of(last);
  record.outcome = OutcomeKind::kDeadlock;
  campaign.finished(last, record, true);
  EXPECT_EQ(campaign.schedules(), 11u);
  EXPECT_EQ(campaign.failing(), 1u);
  campaign.take_back(last);
  EXPECT_EQ(campaign.schedules(), 10u);
  EXPECT_EQ(campaign.failing(), 0u);
  const RunOrder again = *campaign.next();
  EXPECT_EQ(again.key.index, 10u);
  EXPECT_FALSE(again.range);
  campaign.finished(again, run_of(again), false);
  campaign.resume();
  EXPECT_EQ(campaign.next()->key.index, 11u);
}

// How a pretended body behaves.
struct Behaviour {
  std::function<bool(uint64_t index, bool shared)> fails = [](uint64_t, bool) { return false; };
  uint64_t salt_if_shared = 0;  // its schedules differ by it in a process that has made other runs
};

class Pretended final : public Executors {
 public:
  explicit Pretended(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  Expected<std::unique_ptr<Executor>> make(const Setup&, Mode, int) override {
    return std::unique_ptr<Executor>(std::make_unique<One>(*this));
  }
  os::Guard* guard() override { return nullptr; }

  const std::string& distrusted() const { return distrusted_; }
  uint64_t ranges() const { return ranges_; }

 private:
  class One final : public Executor {
   public:
    explicit One(Pretended& all) : all_(all) {}
    Status begin(RunOrder order) override {
      order_ = std::move(order);
      busy_ = true;
      return Done{};
    }
    bool busy() const override { return busy_; }
    void add_to(std::vector<pollfd>&) const override {}
    double wake_at() const override { return 0; }
    Expected<std::optional<Came>> advance() override {
      busy_ = false;
      return std::optional(order_.range ? all_.range(order_) : Came{.record = all_.run(order_, false)});
    }
    void abandon() override { busy_ = false; }
    bool may_batch() const override { return true; }
    bool is_fresh() const override { return !all_.distrusted_.empty(); }
    void distrust(const std::string& why) override { all_.distrusted_ = why; }

   private:
    Pretended& all_;
    RunOrder order_{RunSettings()};
    bool busy_ = false;
  };

  record::RunRecord run(const RunOrder& order, bool shared) const {
    record::RunRecord record = run_of(order);
    if (shared) record.decision_hash += behaviour_.salt_if_shared;
    if (order.profiling || !behaviour_.fails(order.key.index, shared)) return record;
    record.outcome = OutcomeKind::kExit;
    record.exit_code = 3;
    return record;
  }

  Came range(const RunOrder& range) {
    ++ranges_;
    const bool shared = distrusted_.empty();
    const uint64_t limit = shared ? range.range->end : range.key.index + 1;
    RunOrder order = range;
    while (order.key.index < limit && !behaviour_.fails(order.key.index, shared)) ++order.key.index;
    Came came;
    came.sum = sum_of(range, order.key.index);
    for (uint32_t i = 0; i < came.sum->state.samples; ++i)
      if (shared) came.sum->state.sample[i].decision_hash += behaviour_.salt_if_shared;
    if (order.key.index < limit) came.record = run(order, shared);
    return came;
  }

  Behaviour behaviour_;
  std::string distrusted_;
  uint64_t ranges_ = 0;
};

class Notes final : public Observer {
 public:
  void on_progress(const report::Progress&) override {}
  void on_note(const record::RunRecord&, const std::string&) override {}
  Expected<Judgement> on_failure(const FailedRun& failure) override {
    found.emplace_back(failure.record.key.index, failure.confirmation.confirmed);
    return Judgement::kEnough;
  }
  std::vector<std::pair<uint64_t, bool>> found;
};

using Found = std::vector<std::pair<uint64_t, bool>>;

Exploration explore_pretended(Pretended& executors, Notes& notes) {
  const ExploreOptions options{plan_of("pos", true), 60, {-1}, -1};
  return explore(Setup(), options, executors, notes);
}

TEST(Ranges, AWholeExplorationIsAFewOrders) {
  Pretended executors({});
  Notes notes;
  const Exploration exploration = explore_pretended(executors, notes);
  EXPECT_FALSE(exploration.error);
  EXPECT_EQ(exploration.summary.schedules, kSchedules);
  EXPECT_EQ(executors.ranges(), 1u);
  EXPECT_EQ(executors.distrusted(), "");
}

TEST(Ranges, AFailureIsFoundAndConfirmedByAFreshProcess) {
  Pretended executors({.fails = [](uint64_t index, bool) { return index == 77; }});
  Notes notes;
  const Exploration exploration = explore_pretended(executors, notes);
  EXPECT_EQ(notes.found, (Found{{77, true}}));
  EXPECT_EQ(exploration.summary.schedules, 78u);
  EXPECT_EQ(executors.distrusted(), "");
}

// It is the fault of the runs before it, and the schedule passes in a process of its own.
TEST(Ranges, WhatFailsOnlyInASharedProcessIsNoFinding) {
  Pretended executors({.fails = [](uint64_t index, bool shared) { return shared && index == 77; }});
  Notes notes;
  const Exploration exploration = explore_pretended(executors, notes);
  EXPECT_EQ(notes.found, Found{});
  EXPECT_EQ(exploration.summary.schedules, kSchedules);
  EXPECT_EQ(exploration.summary.failing_schedules, 0u);
  EXPECT_EQ(executors.distrusted(), "schedule 0x7:77 failed only in a process that had run others");
}

TEST(Ranges, AScheduleThatGoesOtherwiseInAFreshProcessEndsSharing) {
  Pretended executors({.salt_if_shared = 1});
  Notes notes;
  explore_pretended(executors, notes);
  EXPECT_EQ(executors.distrusted(), "the body keeps state: schedule 0x7:0 went otherwise in a fresh process");
}

}  // namespace
}  // namespace snarl::explore
