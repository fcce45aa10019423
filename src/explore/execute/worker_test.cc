// Supervision, with a program that speaks the wire protocol by itself.
#include "explore/execute/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "os/cores.h"
#include "os/launch.h"
#include "os/pinned.h"
#include "os/strays.h"
#include "os/test_child.h"

namespace snarl::explore {
namespace {

using testing::HasSubstr;

class Scene {
 protected:
  Scene() : guard_(std::move(*os::Guard::start())), input_(std::move(*os::StandardInput::prepare(-1, [] {}))) {
    setup_.runtime = "libc.so.6";  // preloading it changes nothing
    setup_.input = &input_;
    setup_.timeout = 5;
  }

  Expected<std::unique_ptr<Worker>> worker_of(const std::string& what, Mode mode) {
    setup_.target.path = SNARL_FAKE_TARGET;
    setup_.target.argv = {SNARL_FAKE_TARGET, what};
    return Worker::create(setup_, guard_, mode, -1);
  }

  os::Strays strays_;
  os::Guard guard_;
  os::StandardInput input_;
  Setup setup_;
};

class WorkerTest : public Scene, public testing::TestWithParam<Mode> {
 protected:
  Expected<std::unique_ptr<Worker>> worker(const std::string& what) { return worker_of(what, GetParam()); }

  Expected<record::RunRecord> run(const std::string& what) {
    Expected<std::unique_ptr<Worker>> made = worker(what);
    if (!made) return made.error();
    return run_to_end(**made, RunOrder(setup_.settings), -1);
  }

  OutcomeKind outcome(const std::string& what) {
    const Expected<record::RunRecord> record = run(what);
    EXPECT_TRUE(record) << record.error().message;
    return record ? record->outcome : OutcomeKind::kCount;
  }
};

class ServerTest : public Scene, public testing::Test {};

INSTANTIATE_TEST_SUITE_P(Modes, WorkerTest, testing::Values(Mode::kFork, Mode::kExec),
                         [](const auto& mode) { return mode.param == Mode::kFork ? "fork" : "exec"; });

// The scanner's time is not the run's.
TEST_P(WorkerTest, AScanTakesNothingFromTheRun) {
  setup_.timeout = 0.3;
  EXPECT_EQ(outcome("scans"), OutcomeKind::kOk);
  EXPECT_EQ(outcome("hang"), OutcomeKind::kTimeout);
}

TEST_P(WorkerTest, SeesHowARunEnds) {
  EXPECT_EQ(outcome("ok"), OutcomeKind::kOk);
  EXPECT_EQ(outcome("exit"), OutcomeKind::kExit);
  EXPECT_EQ(outcome("abort"), OutcomeKind::kSignal);
  EXPECT_EQ(outcome("assert"), OutcomeKind::kAssert);
  EXPECT_EQ(outcome("deadlock"), OutcomeKind::kDeadlock);
  EXPECT_EQ(outcome("kill"), OutcomeKind::kNone);
}

TEST_P(WorkerTest, CapturesTheOutputOfEachRun) {
  Expected<std::unique_ptr<Worker>> made = worker("exit");
  ASSERT_TRUE(made);
  for (uint64_t i = 0; i < 5; ++i) {
    RunOrder order(setup_.settings);
    order.key.index = i;
    const Expected<record::RunRecord> record = run_to_end(**made, std::move(order), -1);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->exit_code, 3);
    EXPECT_EQ(record->out, "run " + std::to_string(i) + "\n");
    EXPECT_EQ(record->steps, 10 + i);
    EXPECT_EQ(record->decisions.size(), 1u);
  }
}

TEST_P(WorkerTest, EndsARunThatTakesTooLong) {
  setup_.timeout = 0.2;
  const Expected<record::RunRecord> record = run("hang");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->outcome, OutcomeKind::kTimeout);
  EXPECT_GE(record->seconds, 0.2);
  EXPECT_LT(record->seconds, 3);
}

// Six processes share a core: what takes a fifth of a second takes longer than allowed, but not by its own doing.
TEST_P(WorkerTest, TimeWithoutACoreDoesNotCount) {
  std::optional<os::Pinned> here(os::allowed_cores().back());  // the others inherit it
  const os::TestChild others[] = {os::TestChild([] {}), os::TestChild([] {}), os::TestChild([] {}),
                                  os::TestChild([] {}), os::TestChild([] {})};
  here.reset();
  setup_.timeout = 0.8;
  const Expected<record::RunRecord> record = run("work");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->outcome, OutcomeKind::kOk);
  EXPECT_GT(record->seconds, setup_.timeout);
}

TEST_P(WorkerTest, CapsFloods) {
  Expected<std::unique_ptr<Worker>> made = worker("flood");
  ASSERT_TRUE(made);
  RunOrder order(setup_.settings);
  order.keep_all = true;
  const Expected<record::RunRecord> record = run_to_end(**made, std::move(order), -1);
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->out_cut);
  EXPECT_THAT(record->out, HasSubstr("the end\n"));
}

TEST_P(WorkerTest, SurvivesTrashInTheWire) { EXPECT_EQ(outcome("trash"), OutcomeKind::kOk); }

TEST_P(WorkerTest, LeavesNoProcessBehind) {
  EXPECT_EQ(outcome("child"), OutcomeKind::kOk);
  EXPECT_EQ(outcome("daemon"), OutcomeKind::kOk);
  strays_.reap({guard_.pid()});
  const pid_t guard = guard_.pid();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "only the guard may be left";
  EXPECT_EQ(kill(guard, 0), 0);
}

TEST_P(WorkerTest, StopsWhenAsked) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[1]);  // readable at once
  Expected<std::unique_ptr<Worker>> made = worker("hang");
  ASSERT_TRUE(made);
  const Expected<record::RunRecord> record = run_to_end(**made, RunOrder(setup_.settings), ends[0]);
  ASSERT_FALSE(record);
  EXPECT_FALSE((*made)->busy());
  close(ends[0]);
}

TEST_P(WorkerTest, APinnedThreadPinsNothingThatItStarts) {
  const std::vector<int> cores = os::allowed_cores();
  for (int cpu : {cores.back(), -1, CPU_SETSIZE}) {
    const os::Pinned pinned(cpu);
    EXPECT_EQ(os::allowed_cores(), cpu == cores.back() ? std::vector<int>{cpu} : cores);
    EXPECT_EQ(outcome("cores_" + std::to_string(cores.size())), OutcomeKind::kOk);
  }
  EXPECT_EQ(os::allowed_cores(), cores);
}

TEST_F(ServerTest, StartsADeadServerAgain) {
  Expected<std::unique_ptr<Worker>> made = worker_of("ok", Mode::kFork);
  ASSERT_TRUE(made);
  for (int i = 0; i < 6; ++i) {
    const Expected<record::RunRecord> record = run_to_end(**made, RunOrder(setup_.settings), -1);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_EQ(record->outcome, OutcomeKind::kOk);
    const std::vector<pid_t> pids = (*made)->children().value();
    ASSERT_EQ(pids.size(), 1u);
    kill(pids[0], SIGKILL);
  }
}

TEST_F(ServerTest, KilledServersAreNoVerdictAboutTheProgram) {
  Expected<std::unique_ptr<Worker>> made = worker_of("ok", Mode::kFork);
  ASSERT_TRUE(made);
  ASSERT_TRUE((*made)->begin(RunOrder(setup_.settings)));
  for (int i = 0; i < 10; ++i) {
    const std::vector<pid_t> pids = (*made)->children().value();
    ASSERT_EQ(pids.size(), 1u);
    kill(pids[0], SIGKILL);
    siginfo_t ended;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pids[0]), &ended, WEXITED | WNOWAIT), 0);
    const Expected<std::optional<Came>> done = (*made)->advance();
    ASSERT_TRUE(done) << "after " << i + 1 << " servers: " << done.error().message;
    ASSERT_FALSE(done->has_value());
  }
  (*made)->abandon();
  const Expected<record::RunRecord> record = run_to_end(**made, RunOrder(setup_.settings), -1);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->outcome, OutcomeKind::kOk);
}

TEST_F(ServerTest, GivesUpIfEveryServerIsKilled) {
  Expected<std::unique_ptr<Worker>> made = worker_of("killed_at_once", Mode::kFork);
  ASSERT_TRUE(made);
  const Expected<record::RunRecord> record = run_to_end(**made, RunOrder(setup_.settings), -1);
  ASSERT_FALSE(record);
  EXPECT_THAT(record.error().message, HasSubstr("signal 9"));
}

TEST_F(ServerTest, SaysWhyNoServerComesUp) {
  Expected<std::unique_ptr<Worker>> made = worker_of("die_at_once", Mode::kFork);
  ASSERT_TRUE(made);
  const Expected<record::RunRecord> record = run_to_end(**made, RunOrder(setup_.settings), -1);
  ASSERT_FALSE(record);
  EXPECT_THAT(record.error().message, HasSubstr("exit code 127"));
  EXPECT_THAT(record.error().message, HasSubstr("cannot load libfoo.so"));
}

TEST(Guard, EndsWhatADeadExplorerLeft) {
  os::Strays subreaper;  // the orphans come to us
  const pid_t explorer = fork();
  if (explorer == 0) {
    Expected<os::Guard> guard = os::Guard::start();
    os::Launch sleeper;
    sleeper.path = "/bin/sleep";
    sleeper.argv = {"sleep", "60"};
    const Expected<pid_t> victim = os::launch(sleeper);
    if (!guard || !victim) _exit(1);
    guard->watch(*victim);
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(explorer, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  int ended = 0;
  for (int i = 0; i < 500 && ended < 2; ++i) {  // the victim, killed, and the guard, done
    if (waitpid(-1, &status, WNOHANG) > 0) ++ended;
    usleep(10'000);
  }
  EXPECT_EQ(ended, 2);
  subreaper.reap({});
}

}  // namespace
}  // namespace snarl::explore
