// The event loops, with a program that speaks the wire protocol by itself.
#include "explore/campaign/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <limits>

#include "explore/campaign/selfcheck.h"
#include "explore/execute/worker.h"
#include "explore/target/policy_spec.h"
#include "os/cores.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

class Notes final : public Observer {
 public:
  void on_progress(const report::Progress&) override {}
  void on_note(const record::RunRecord&, const std::string& signature) override { noted.push_back(signature); }
  Expected<Judgement> on_failure(const FailedRun& failure) override {
    failures.push_back(failure.record.key.index);
    clocks = {failure.record.settings.clock_base,
              failure.confirmation.replay ? failure.confirmation.replay->settings.clock_base : 0};
    confirmed.push_back(failure.confirmation.confirmed);
    doubt = failure.confirmation.doubt;
    signals.push_back(failure.record.signal);
    return judgement;
  }
  Judgement judgement = Judgement::kFinding;
  std::vector<uint64_t> failures;
  std::vector<bool> confirmed;
  std::string doubt;
  std::vector<int> signals;
  std::vector<uint64_t> clocks;
  std::vector<std::string> noted;
};

class ExplorerTest : public testing::Test {
 protected:
  ExplorerTest() : guard_(std::move(*os::Guard::start())), input_(std::move(*os::StandardInput::prepare(-1, [] {}))) {
    setup_.runtime = "libc.so.6";
    setup_.input = &input_;
    setup_.timeout = 5;
    options_.plan.seed = 1;
    options_.plan.policies = {*parse_policy("random"), *parse_policy("pct:depth=2")};
    options_.plan.profilers.assign(3, *parse_policy("random"));
    options_.seconds = 30;
  }

  Exploration run(const std::string& what, uint64_t schedules, size_t workers) {
    setup_.target.path = setup_.target.program = SNARL_FAKE_TARGET;
    setup_.target.argv = {SNARL_FAKE_TARGET, what};
    options_.plan.schedules = schedules;
    const std::vector<int> cores = os::allowed_cores();
    options_.cpus.clear();
    for (size_t i = 0; i < workers; ++i) options_.cpus.push_back(pinned_ ? cores[i % cores.size()] : -1);
    notes_ = Notes();
    notes_.judgement = judgement_;
    Workers executors(guard_);
    return explore(setup_, options_, executors, notes_);
  }

  os::Guard guard_;
  os::StandardInput input_;
  snarl::explore::Setup setup_;  // testing::Test has a name like that
  ExploreOptions options_;
  Notes notes_;
  Judgement judgement_ = Judgement::kFinding;
  bool pinned_ = true;
};

size_t threads_here() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST_F(ExplorerTest, FindsNothingInACorrectProgram) {
  const Exploration exploration = run("ok", 200, 2);
  ASSERT_FALSE(exploration.error) << exploration.error->message;
  EXPECT_EQ(exploration.summary.schedules, 200u);
  EXPECT_EQ(exploration.summary.failing_schedules, 0u);
  EXPECT_EQ(exploration.summary.repeatable.of, 20u);
  EXPECT_EQ(exploration.summary.repeatable.same, 20u);
  ASSERT_EQ(exploration.summary.bound.size(), 1u);
  EXPECT_GT(exploration.summary.bound[0].probability, 0.5);
  EXPECT_EQ(exploration.summary.profiles.size(), 9u);  // from 0, 1, 2, 4, ..., 128 on
}

// Longer than all that the self-check may take, going by this exploration.
TEST_F(ExplorerTest, ASlowStartTakesNothingFromTheSelfCheck) {
  const Exploration exploration = run("slow_start", 30, 1);
  ASSERT_FALSE(exploration.error) << exploration.error->message;
  EXPECT_EQ(exploration.summary.repeatable.of, 20u);
}

TEST(SelfCheck, RepeatsWhatShouldFit) {
  EXPECT_EQ(repetitions_within(2, 5), 1u);
  EXPECT_EQ(repetitions_within(14, 6), 3u);  // at 0, 6 and 12 seconds
  EXPECT_GE(repetitions_within(2, 1e-4), 20u);
  EXPECT_GE(repetitions_within(2, 0), 20u);
}

TEST_F(ExplorerTest, ReportsTheSmallestFailingIndexForAnyNumberOfWorkers) {
  for (size_t workers : {1u, 2u, 5u}) {
    const Exploration exploration = run("fail_at_5", 1000, workers);
    ASSERT_FALSE(exploration.error) << exploration.error->message;
    EXPECT_EQ(notes_.failures, std::vector<uint64_t>{5});
    EXPECT_EQ(notes_.confirmed, std::vector<bool>{true});
    EXPECT_EQ(exploration.confirmed, 1u);
    EXPECT_FALSE(exploration.fails_anyway);
  }
}

TEST_F(ExplorerTest, ItsThreadsArePinnedButNothingElse) {
  const std::vector<int> cores = os::allowed_cores();
  for (size_t workers : {size_t{1}, size_t{2}, cores.size() + 2}) {
    const Exploration exploration = run("cores_" + std::to_string(cores.size()), 50, workers);
    ASSERT_FALSE(exploration.error) << exploration.error->message;
    EXPECT_EQ(exploration.summary.failing_schedules, 0u);
    EXPECT_EQ(os::allowed_cores(), cores) << "as it was";
  }
}

TEST_F(ExplorerTest, LeavesNoThreadAndNoProcess) {
  const size_t threads = threads_here();
  for (const char* what : {"ok", "daemon", "child", "kill", "internal"}) {
    run(what, 30, 3);
    EXPECT_EQ(threads_here(), threads) << what;
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "only the guard may be left after " << what;
  }
}

TEST_F(ExplorerTest, WorksUnpinned) {
  pinned_ = false;
  EXPECT_EQ(run("ok", 100, 3).summary.schedules, 100u);
}

TEST_F(ExplorerTest, RunsAndConfirmationsBeginAtTheSameTime) {
  setup_.settings.clock_base = 77;
  run("fail_at_5", 1000, 2);
  EXPECT_EQ(notes_.clocks, (std::vector<uint64_t>{77, 77}));
}

TEST_F(ExplorerTest, CountsTheSameFailureOnceWhenItKeepsGoing) {
  options_.plan.keep_going = true;
  const Exploration exploration = run("fail_at_5", 50, 2);
  EXPECT_EQ(notes_.failures, std::vector<uint64_t>{5});
  EXPECT_EQ(exploration.summary.failing_schedules, 45u);
  EXPECT_EQ(exploration.summary.schedules, 50u);
}

TEST_F(ExplorerTest, AMisuseIsAFailureOfARunThatEndsWell) {
  const Exploration exploration = run("misuse", 50, 2);
  EXPECT_EQ(notes_.failures, std::vector<uint64_t>{0});
  EXPECT_EQ(notes_.confirmed, std::vector<bool>{true});
  EXPECT_EQ(notes_.noted.size(), 1u) << "told once, and never a failure";
  EXPECT_FALSE(exploration.fails_anyway);
}

TEST_F(ExplorerTest, WhatIsSuppressedDoesNotFailAndDoesNotEndIt) {
  judgement_ = Judgement::kSuppressed;
  for (const char* what : {"misuse", "fail_at_5"}) {
    const Exploration exploration = run(what, 50, 2);
    EXPECT_EQ(notes_.failures.size(), 1u) << "looked at once";
    EXPECT_EQ(exploration.summary.schedules, 50u);
    EXPECT_EQ(exploration.summary.failing_schedules, 0u);
    EXPECT_EQ(exploration.confirmed, 0u);
    for (const report::PolicyCount& policy : exploration.summary.policy) EXPECT_EQ(policy.failing_schedules, 0u);
  }
}

TEST_F(ExplorerTest, SaysThatTheScheduleIsNotToBlame) {
  EXPECT_TRUE(run("exit", 100, 1).fails_anyway);  // uncontrolled it returns 9
}

TEST_F(ExplorerTest, EndsInTime) {
  options_.seconds = 1;
  const Exploration exploration = run("ok", 0, 2);
  EXPECT_GT(exploration.summary.schedules, 0u);
  EXPECT_LT(exploration.summary.seconds, 5);
}

// Whatever is under way then; here every run would take five seconds.
TEST_F(ExplorerTest, RunsThatDoNotEndAreGivenUpWhenTimeIsOver) {
  options_.seconds = 1;
  for (size_t workers : {1u, 2u}) {
    const double began = os::now_seconds();
    const Exploration exploration = run("hang", 0, workers);
    EXPECT_LT(os::now_seconds() - began, 3);
    EXPECT_EQ(exploration.summary.schedules, 0u);
    EXPECT_FALSE(exploration.one_thread) << "nobody knows";
    EXPECT_TRUE(notes_.failures.empty()) << "a run that was given up has not failed";
  }
}

// A fresh process takes 2.6 s to begin.
TEST_F(ExplorerTest, AFailureIsConfirmedInTheTimeForThatOrNotAtAll) {
  options_.after_finding = 0.5;
  Exploration exploration = run("slow_fail", 1000, 1);
  EXPECT_EQ(notes_.confirmed, std::vector<bool>{false});
  EXPECT_EQ(exploration.summary.unconfirmed, 1u);
  EXPECT_NE(notes_.doubt.find("within 0.5 s"), std::string::npos) << notes_.doubt;
  options_.after_finding = 20;
  exploration = run("slow_fail", 1000, 1);
  EXPECT_EQ(notes_.confirmed, std::vector<bool>{true});
  options_.after_finding = 0;
  exploration = run("fail_at_5", 1000, 1);
  EXPECT_EQ(notes_.confirmed, std::vector<bool>{false});
  EXPECT_NE(notes_.doubt.find("--after-finding 0"), std::string::npos) << notes_.doubt;
}

// The memory is not enough, for instance: nobody inside could tell.
TEST_F(ExplorerTest, WhoIsKilledEachTimeEndsByThatSignal) {
  const Exploration exploration = run("kill", 4, 2);
  EXPECT_EQ(notes_.signals, std::vector{SIGKILL});
  EXPECT_EQ(notes_.confirmed, std::vector{true});
  EXPECT_GT(exploration.summary.lost, 1u);
}

TEST_F(ExplorerTest, OurOwnBugIsNoFinding) {
  const Exploration exploration = run("internal", 4, 1);
  ASSERT_TRUE(exploration.error);
  EXPECT_EQ(exploration.error->exit_code, 125);
  EXPECT_TRUE(notes_.failures.empty());
}

TEST_F(ExplorerTest, StopsWhenAsked) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[1]);
  options_.stop_fd = ends[0];
  for (size_t workers : {1u, 2u, 5u}) EXPECT_TRUE(run("hang", 0, workers).interrupted);
  close(ends[0]);
}

}  // namespace
}  // namespace snarl::explore
