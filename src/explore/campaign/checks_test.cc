// The parts that the explorer asks: what profiling must have shown, whether a failure is to be believed, how fast runs
// come. No process is started: a pretended executor answers from a function.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "explore/campaign/after_profiling.h"
#include "explore/campaign/failure_check.h"
#include "explore/campaign/pace.h"
#include "explore/campaign/tries.h"
#include "explore/target/policy_spec.h"

namespace snarl::explore {
namespace {

using testing::HasSubstr;

const Setup kAnySetup;  // testing::Test has a name like that

class Pretended final : public Executors {
 public:
  using Answer = std::function<record::RunRecord(const RunOrder& order)>;
  explicit Pretended(Answer answer) : answer_(std::move(answer)) {}

  Expected<std::unique_ptr<Executor>> make(const Setup&, Mode, int) override {
    return std::unique_ptr<Executor>(std::make_unique<One>(*this));
  }
  os::Guard* guard() override { return nullptr; }
  int runs() const { return runs_; }

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
      ++all_.runs_;
      record::RunRecord record = all_.answer_(order_);
      record.key = order_.key;
      record.settings = order_.settings;
      return std::optional(Came{.record = std::move(record)});
    }
    void abandon() override { busy_ = false; }

   private:
    Pretended& all_;
    RunOrder order_{RunSettings()};
    bool busy_ = false;
  };

  Answer answer_;
  int runs_ = 0;
};

record::RunRecord run_with_code(int code) {
  record::RunRecord record;
  record.outcome = code == 0 ? OutcomeKind::kOk : OutcomeKind::kExit;
  record.exit_code = code;
  record.created = 2;
  record.steps = 20;
  return record;
}

Pretended::Answer always(int code) {
  return [code](const RunOrder&) { return run_with_code(code); };
}

Confirmation confirmation_by(Pretended& executors, double seconds) {
  FailureCheck check(executors, -1, seconds, -1);
  check.begin();
  record::RunRecord failed = run_with_code(3);
  return check.try_again(failed, kAnySetup);
}

TEST(FailureCheck, TheSameFailureInAFreshProcessConfirms) {
  Pretended executors(always(3));
  const Confirmation confirmation = confirmation_by(executors, 60);
  EXPECT_TRUE(confirmation.confirmed);
  EXPECT_TRUE(confirmation.replay);
  EXPECT_EQ(confirmation.doubt, "");
  EXPECT_EQ(executors.runs(), 1);
}

TEST(FailureCheck, AnotherEndDoesNotConfirm) {
  for (int code : {0, 4}) {
    Pretended executors(always(code));
    EXPECT_FALSE(confirmation_by(executors, 60).confirmed) << "exit code " << code;
  }
}

TEST(FailureCheck, WithoutTimeNothingIsStarted) {
  Pretended executors(always(3));
  const Confirmation confirmation = confirmation_by(executors, 0);
  EXPECT_FALSE(confirmation.confirmed);
  EXPECT_THAT(confirmation.doubt, HasSubstr("--after-finding 0"));
  EXPECT_EQ(executors.runs(), 0);
}

TEST(FailureCheck, ADoubtOutweighsAConfirmation) {
  Pretended executors(always(3));
  FailureCheck check(executors, -1, 60, -1);
  check.begin();
  FailedRun failure{.record = run_with_code(3)};
  failure.confirmation.confirmed = true;
  EXPECT_FALSE(check.blame_patches(failure, kAnySetup));
  EXPECT_TRUE(failure.confirmation.confirmed);
  failure.confirmation.doubt = "who knows";
  EXPECT_FALSE(check.blame_patches(failure, kAnySetup));
  EXPECT_FALSE(failure.confirmation.confirmed);
}

TEST(FailureCheck, WhatIsNotConfirmedIsNotShortened) {
  Pretended executors(always(3));
  FailureCheck check(executors, -1, 60, -1);
  check.begin();
  FailedRun failure{.record = run_with_code(3)};
  check.shorten(failure, kAnySetup);
  EXPECT_EQ(executors.runs(), 0);
  EXPECT_EQ(failure.switches_before, 0u);
}

class AfterProfilingTest : public testing::Test {
 protected:
  AfterProfilingTest() : executors_(always(0)), campaign_(nullptr) {
    plan_.policies = {*parse_policy("random")};
    plan_.profilers.assign(1, *parse_policy("random"));
    plan_.schedules = 10;
    setup_.settings.points = kDefaultPoints | kMemoryPoints;
    campaign_ = std::make_unique<Campaign>(plan_, setup_.settings);
  }

  // All profiling runs; at most the first of them meets hooks.
  void profile(bool hooked) {
    for (int run = 0; !campaign_->just_profiled(); ++run) {
      const std::optional<RunOrder> order = campaign_->next();
      ASSERT_TRUE(order && order->profiling);
      record::RunRecord record = run_with_code(0);
      record.key = order->key;
      record.settings = order->settings;
      record.hooked = hooked && run == 0;
      after_.note(record);
      campaign_->finished(*order, record, false);
    }
  }
  Status check() { return after_.check(setup_, plan_, executors_, *campaign_); }

  CampaignPlan plan_;
  snarl::explore::Setup setup_;
  Pretended executors_;
  std::unique_ptr<Campaign> campaign_;
  AfterProfiling after_;
};

TEST_F(AfterProfilingTest, SaysNothingBeforeTheProfilingRunsAreOver) { EXPECT_TRUE(check()); }

TEST_F(AfterProfilingTest, MemoryPointsNeedHooks) {
  profile(false);
  const Status checked = check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "no memory hooks; build with snarl c++");
  EXPECT_EQ(checked.error().exit_code, 2);
}

TEST_F(AfterProfilingTest, HooksOfOneRunAreEnough) {
  profile(true);
  EXPECT_TRUE(check());
  after_.begin_anew();
  EXPECT_TRUE(check());
}

TEST(Pace, TheMeanIsThatOfAllRuns) {
  Pace pace;
  EXPECT_FALSE(pace.any_run());
  EXPECT_EQ(pace.mean_seconds(), 0);
  pace.note_run(1);
  pace.note_run(2);
  EXPECT_TRUE(pace.any_run());
  EXPECT_DOUBLE_EQ(pace.mean_seconds(), 1.5);
}

TEST(Pace, ALineIsDueEveryInterval) {
  Pace pace;
  EXPECT_FALSE(pace.is_due(0.05));
  EXPECT_TRUE(pace.is_due(0.1));
  pace.tell(0.1, 10);
  EXPECT_FALSE(pace.is_due(0.15));
  EXPECT_TRUE(pace.is_due(0.25));
}

TEST(Pace, TheRateFollowsSlowlyAndSurvivesANewBeginning) {
  Pace pace;
  EXPECT_DOUBLE_EQ(pace.tell(1, 100), 100);
  EXPECT_DOUBLE_EQ(pace.tell(2, 300), 0.9 * 100 + 0.1 * 200);
  pace.begin_anew();
  EXPECT_DOUBLE_EQ(pace.tell(3, 110), 110) << "another 110 schedules, not 190 fewer";
}

TEST(TryTeller, TellsHowFarTheTriesHaveComeAndNotTooOften) {
  std::vector<report::Progress> told;
  TryTeller teller(report::Phase::kShortening, [&](const report::Progress& progress) { told.push_back(progress); });
  uint64_t tries = 0;
  for (; told.size() < 2; ++tries) teller.tried(7);
  EXPECT_EQ(told[1].phase, report::Phase::kShortening);
  EXPECT_EQ(told[1].size, 7u);
  EXPECT_EQ(told[1].schedules, tries);
  EXPECT_GE(told[1].seconds - told[0].seconds, 0.1);
  TryTeller(report::Phase::kExplaining, {}).tried(1);  // to nobody
}

}  // namespace
}  // namespace snarl::explore
