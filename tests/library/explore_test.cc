// snarl::explore from a plain GoogleTest program: what is found, what is said of it, and that the program lives on.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <snarl/snarl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bodies.h"

namespace {

using std::chrono::seconds;

snarl::Options few(uint64_t schedules = 200) {
  snarl::Options options;
  options.schedules = schedules;
  options.time = seconds(60);
  return options;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

void overdraw() {
  if (withdraw_twice() < 0) snarl::fail("overdrawn");
}

TEST(Explore, FindsNothingInGoodCode) {
  const snarl::Result result = snarl::explore(few(500), [] {
    if (add_twice() != 4) snarl::fail("lost");
  });
  EXPECT_TRUE(result) << result.report;
  EXPECT_EQ(result.schedules, 500u);
  EXPECT_GT(result.distinct, 50u);
  EXPECT_LE(result.distinct, 500u);
  EXPECT_EQ(result.threads, 3u);
  EXPECT_EQ(result.reset, "none") << result.reset_why;
}

// Where a thread lies does not depend on what earlier schedules did, nor on the process. (On gates libc decides.)
TEST(Explore, ThreadsHaveTheSameAddressesInEverySchedule) {
  const auto work = [] {
    std::mutex mutex;
    const auto one = [&mutex] {
      for (auto i = (pthread_self() >> 12) % 5; i > 0; --i) std::lock_guard<std::mutex>{mutex};
    };
    std::thread a(one), b(one), c(one);
    b.join();
    std::thread d(one);
    c.join();
    a.join();
    d.join();
  };
  const snarl::Result result = snarl::explore(few(500), work);
  EXPECT_TRUE(result) << result.report;
  EXPECT_EQ(result.reset, result.switching == "fibers" ? "none" : "fork") << result.reset_why;
}

TEST(Explore, ReportsAFailedCheck) {
  const snarl::Result result = snarl::explore(few(), overdraw);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.kind, "check");
  EXPECT_TRUE(has(result.report, "CHECK FAILED")) << result.report;
  EXPECT_TRUE(has(result.report, "overdrawn")) << result.report;
  EXPECT_TRUE(has(result.report, "bodies.h:")) << result.report;
  EXPECT_TRUE(has(result.report, result.replay)) << result.report;
  EXPECT_FALSE(has(result.report, "NOT CONFIRMED")) << result.report;
  EXPECT_FALSE(has(result.report, "snarl::run")) << "frames of ours: " << result.report;
}

TEST(Explore, TheSameSeedFindsTheSame) {
  const snarl::Result first = snarl::explore(few(), overdraw);
  const snarl::Result second = snarl::explore(few(), overdraw);
  EXPECT_EQ(first.replay, second.replay);
  EXPECT_EQ(first.schedules, second.schedules);
}

TEST(Explore, ReplaysAFailure) {
  const snarl::Result found = snarl::explore(few(), overdraw);
  ASSERT_FALSE(found);
  for (int i = 0; i < 20; ++i) {
    const snarl::Result again = snarl::replay(overdraw, found.replay);
    EXPECT_FALSE(again);
    EXPECT_EQ(again.summary, found.summary);
    EXPECT_EQ(again.replay, found.replay);
  }
}

TEST(Explore, AReplayOfOtherCodeSaysSo) {
  const snarl::Result found = snarl::explore(few(), overdraw);
  const snarl::Result other = snarl::replay([] { std::thread([] {}).join(); }, found.replay);
  EXPECT_TRUE(other);
  EXPECT_TRUE(has(other.note, "no longer follows")) << other.note;
}

TEST(Explore, ReportsADeadlock) {
  const snarl::Result result = snarl::explore(few(), deadlock);
  EXPECT_EQ(result.kind, "deadlock");
  EXPECT_TRUE(has(result.report, "waits for")) << result.report;
  EXPECT_FALSE(has(result.report, "NOT CONFIRMED")) << result.report;
}

TEST(Explore, ReportsAnException) {
  const snarl::Result result = snarl::explore(few(), [] {
    if (withdraw_twice() < 0) throw std::runtime_error("too much");
  });
  EXPECT_EQ(result.kind, "exception");
  EXPECT_TRUE(has(result.report, "std::runtime_error: too much")) << result.report;
}

TEST(Explore, ReportsAnAssertionAndWhatWasPrinted) {
  const snarl::Result result = snarl::explore(few(), [] {
    std::printf("hello from the body");
    const int balance = withdraw_twice();
    assert(balance >= 0);
  });
  EXPECT_EQ(result.kind, "assert");
  EXPECT_TRUE(has(result.report, "balance >= 0")) << result.report;
  EXPECT_TRUE(has(result.report, "hello from the body")) << result.report;
}

TEST(Explore, ReportsASignal) {
  const snarl::Result result = snarl::explore(few(), [] {
    if (withdraw_twice() < 0) *static_cast<volatile int*>(nullptr) = 1;
  });
  EXPECT_EQ(result.kind, "signal");
  EXPECT_TRUE(has(result.report, "SIGSEGV")) << result.report;
}

TEST(Explore, ReportsAnExitCode) {
  const snarl::Result result = snarl::explore(few(), [] {
    if (withdraw_twice() < 0) exit(3);
  });
  EXPECT_EQ(result.kind, "exit");
}

TEST(Explore, ReportsMisuse) {
  const snarl::Result result = snarl::explore(few(), [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    std::thread other([&] { pthread_mutex_unlock(&mutex); });
    other.join();
  });
  EXPECT_EQ(result.kind, "unlock_not_owner");
}

TEST(Explore, EndsAScheduleThatTakesTooLong) {
  snarl::Options options = few();
  options.timeout = seconds(1);
  const snarl::Result result = snarl::explore(options, [] {
    std::thread other([] {
      for (volatile int forever = 1; forever != 0;) {
      }
    });
    other.join();
  });
  EXPECT_FALSE(result);
  EXPECT_TRUE(result.kind == "timeout" || result.kind == "livelock") << result.kind;
}

TEST(Explore, StopsInTime) {
  snarl::Options options = few(1'000'000'000'000);
  for (options.time = std::chrono::milliseconds(200); options.time < seconds(30); options.time *= 2) {
    const snarl::Result result = snarl::explore(options, [] { add_twice(); });
    EXPECT_TRUE(result);
    EXPECT_GE(result.seconds, std::chrono::duration<double>(options.time).count());
    if (result.schedules > 10) return;  // else the machine is busy
  }
  FAIL() << "hardly a schedule was run";
}

TEST(Explore, ABodyWithoutThreadsHasOneSchedule) {
  const snarl::Result result = snarl::explore(few(), [] {
    std::mutex mutex;
    mutex.lock();
    mutex.unlock();
  });
  EXPECT_TRUE(result);
  EXPECT_EQ(result.schedules, 1u);
  EXPECT_TRUE(has(result.note, "no thread"));
}

// Each leaves something else behind; all must be told, and every schedule then has a process of its own.
void expect_fork(const char* why, void (*body)()) {
  const snarl::Result result = snarl::explore(few(30), body);
  EXPECT_TRUE(result) << result.report;
  EXPECT_EQ(result.schedules, 30u);
  EXPECT_EQ(result.reset, "fork") << why;
  EXPECT_TRUE(has(result.reset_why, why)) << result.reset_why;
}

TEST(Reset, ThreadsThatLiveOn) {
  expect_fork("threads", [] {
    static std::mutex mutex;
    std::thread([] { std::lock_guard<std::mutex> lock(mutex); }).detach();
  });
}

TEST(Reset, LocksThatAreHeld) {
  expect_fork("lock is held", [] {
    static std::mutex mutex;
    std::thread other([] {});
    mutex.lock();
    other.join();
  });
}

TEST(Reset, ThreadLocals) {
  struct Noisy {
    ~Noisy() { ++count; }
    int count = 0;
  };
  expect_fork("thread_local", [] {
    static thread_local Noisy noisy;
    ++noisy.count;
    add_twice();
  });
}

TEST(Reset, ACounterThatIsNeverSetBack) {
  expect_fork("keeps state", [] {
    static int runs = 0;
    const int times = ++runs;
    std::mutex mutex;
    std::thread other([&] {
      for (int i = 0; i < times; ++i) std::lock_guard<std::mutex> lock(mutex);
    });
    other.join();
  });
}

TEST(Reset, Children) {
  expect_fork("processes", [] {
    add_twice();
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
  });
}

TEST(Reset, MemoryIfAskedTo) {
  snarl::Options options = few(256);  // each epoch has a process of its own
  options.heap = true;
  auto leak = [] {
    add_twice();
    static void* volatile kept;
    kept = std::malloc(100);
    (void)kept;
  };
  EXPECT_EQ(snarl::explore(options, leak).reset, "fork");
  EXPECT_EQ(snarl::explore(options, [] { add_twice(); }).reset, "none");
  EXPECT_EQ(snarl::explore(few(30), leak).reset, "none");
}

TEST(Reset, AFailureThatOnlyStateBringsIsNoFinding) {
  const snarl::Result result = snarl::explore(few(256), [] {  // each epoch has a process of its own
    static int runs = 0;
    add_twice();
    if (++runs == 50) snarl::fail("state");
  });
  EXPECT_TRUE(result) << result.report;
  EXPECT_EQ(result.reset, "fork");
}

TEST(Check, ThrowsTheReport) {
  EXPECT_TRUE(snarl::check(few(), [] { add_twice(); }));
  try {
    snarl::check(few(), overdraw);
    FAIL() << "nothing was thrown";
  } catch (const snarl::Failure& failure) {
    EXPECT_TRUE(has(failure.what(), "overdrawn"));
    EXPECT_EQ(failure.result().kind, "check");
  }
}

TEST(Sometimes, WhatIsNeverTrueIsTold) {
  snarl::Result result = snarl::explore(few(), [] {
    const int balance = withdraw_twice();
    SNARL_SOMETIMES(balance == 300, "the second was first");
    SNARL_SOMETIMES(balance == 42, "never so");
  });
  EXPECT_TRUE(has(result.note, "never so")) << result.note;
  EXPECT_FALSE(has(result.note, "the second was first")) << result.note;
}

TEST(Point, IsAPlaceToSwitch) {
  static int shared;
  const snarl::Result result = snarl::explore(few(), [] {
    shared = 0;
    auto add = [] {
      const int seen = shared;
      snarl::point("between");
      shared = seen + 1;
    };
    std::thread a(add), b(add);
    a.join();
    b.join();
    if (shared != 2) snarl::fail("an increment was lost");
  });
  EXPECT_EQ(result.kind, "check");
  EXPECT_TRUE(has(result.report, "between")) << result.report;
}

// Nothing is called between the two: only points at the instructions themselves can come between.
void update_by_two_instructions() {
  std::atomic<int> count{0};
  const auto add = [&count] {
    const int seen = count.fetch_add(0);
    count.exchange(seen + 1);
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  if (count != 2) snarl::fail("lost");
}

TEST(Points, AtomicInstructionsUnlessCallsAreEnough) {
  snarl::Options options = few(500);
  const snarl::Result found = snarl::explore(options, update_by_two_instructions);
  EXPECT_EQ(found.kind, "check") << found.report;
  EXPECT_TRUE(has(found.report, "store A")) << found.report;
  EXPECT_EQ(found.points, "sync,atomic,user");
  EXPECT_TRUE(has(found.tested, "points: sync, atomic, user (not atomic loads")) << found.tested;
  options.points = "sync";
  const snarl::Result passed = snarl::explore(options, update_by_two_instructions);
  EXPECT_TRUE(passed);
  EXPECT_TRUE(has(passed.tested, "500 schedules in ")) << passed.tested;
  EXPECT_TRUE(has(passed.tested, "points: sync, user (not atomics, not memory)")) << passed.tested;
  options.replay = found.replay;
  EXPECT_EQ(snarl::explore(options, update_by_two_instructions).kind, "check") << "a replay brings its points along";
  options.replay = "";
  options.points = "atmic";
  EXPECT_EQ(snarl::explore(options, update_by_two_instructions).kind, "error");
}

TEST(Points, WhatIsRightStaysRight) {
  snarl::Options options = few(300);
  EXPECT_TRUE(snarl::explore(options, [] { add_twice(); }));
}

TEST(Points, MemoryNeedsHooks) {
  snarl::Options options = few(10);
  options.points = "memory";
  const snarl::Result result = snarl::explore(options, [] { add_twice(); });
  EXPECT_EQ(result.kind, "error");
  EXPECT_TRUE(has(result.report, "no memory hooks; build with snarl c++")) << result.report;
}

TEST(Points, TooLittleTimeIsSaid) {
  snarl::Options options = few(1'000'000'000);
  options.time = std::chrono::milliseconds(50);
  const snarl::Result result = snarl::explore(options, [] { add_twice(); });
  EXPECT_TRUE(has(result.tested, " of 1000000000 schedule")) << result.tested;
  EXPECT_TRUE(has(result.tested, "all that 0.05 s allow")) << result.tested;
}

TEST(Options, WrongOnesAreTold) {
  snarl::Options options = few();
  options.policy = "ptc";
  const snarl::Result result = snarl::explore(options, [] {});
  EXPECT_EQ(result.kind, "error");
  EXPECT_TRUE(has(result.report, "pct")) << result.report;
  EXPECT_EQ(snarl::replay([] {}, "nonsense").kind, "error");
}

TEST(Options, TheEnvironmentHasTheLastWord) {
  setenv("SNARL_SCHEDULES", "7", 1);
  EXPECT_EQ(snarl::explore(few(), [] { add_twice(); }).schedules, 7u);
  unsetenv("SNARL_SCHEDULES");
}

// The catalog, as the command line gives it.
nlohmann::json all_policies() {
  std::string text;
  FILE* out = popen(SNARL_BINARY " policies --json", "r");
  for (int c = 0; out != nullptr && (c = std::fgetc(out)) != EOF;) text += static_cast<char>(c);
  EXPECT_TRUE(out != nullptr && pclose(out) == 0);
  return nlohmann::json::parse(text);
}

// Groups of events are learned by profiling runs, which library mode does without.
TEST(Policies, AllSerialOnesWork) {
  std::vector<std::string> policies = {"pct:depth=2,random"};
  for (const nlohmann::json& policy : all_policies())
    if (policy["serial"] && policy["searches"] && !policy["groups"] && !policy.contains("file"))
      policies.push_back(policy["trial"]);
  EXPECT_GT(policies.size(), 8u);
  for (const std::string& policy : policies) {
    snarl::Options options = few(2000);
    options.policy = policy;
    EXPECT_EQ(snarl::explore(options, overdraw).kind, "check") << policy;
  }
}

TEST(Policies, OneThatHasOneScheduleRunsItOnce) {
  snarl::Options options = few(2000);
  options.policy = "delay-bound:bound=0";
  EXPECT_EQ(snarl::explore(options, [] { add_twice(); }).schedules, 1u);
}

TEST(Nested, AnExplorationInsideABodyIsPartOfIt) {
  const snarl::Result result = snarl::explore(few(50), [] {
    const snarl::Result inner = snarl::explore(few(50), [] { add_twice(); });
    if (inner.schedules != 1) snarl::fail("explored");
  });
  EXPECT_TRUE(result) << result.report;
}

}  // namespace
