// How schedules and explorations end in library mode: killed, too long, with nothing new to draw.
#include <gtest/gtest.h>
#include <signal.h>
#include <snarl/snarl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <thread>

namespace {

snarl::Options up_to(uint64_t schedules) {
  snarl::Options options;
  options.schedules = schedules;
  options.time = std::chrono::seconds(60);
  return options;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// True in some schedules.
bool comes_second() {
  std::mutex mutex;
  bool set = false, seen = false;
  std::thread sets([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    set = true;
  });
  std::thread looks([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    seen = set;
  });
  sets.join();
  looks.join();
  return seen;
}

TEST(Endings, WhoKillsItselfFails) {
  const snarl::Result result = snarl::explore(up_to(200), [] {
    if (comes_second()) raise(SIGKILL);
  });
  EXPECT_FALSE(result);
  EXPECT_EQ(result.kind, "signal") << result.summary;
  EXPECT_TRUE(has(result.report, "SIGKILL")) << result.report;
}

// As if the memory were not enough.
TEST(Endings, WhoIsKilledEachTimeFails) {
  const snarl::Result result = snarl::explore(up_to(200), [] {
    if (comes_second()) syscall(SYS_kill, getpid(), SIGKILL);
  });
  EXPECT_FALSE(result);
  EXPECT_EQ(result.kind, "signal") << result.summary;
}

TEST(Endings, NothingIsTestedIfAllIsTooLong) {
  snarl::Options options = up_to(5);
  options.steps = 1000;
  const snarl::Result result = snarl::explore(options, [] {
    std::mutex mutex;
    const auto work = [&mutex] {
      for (int i = 0; i < 1000; ++i) std::lock_guard<std::mutex>{mutex};
    };
    std::thread other(work);
    work();
    other.join();
  });
  EXPECT_FALSE(result);
  EXPECT_EQ(result.kind, "error") << result.summary;
  EXPECT_TRUE(has(result.report, "SNARL_STEPS=")) << result.report;
}

TEST(Endings, EndsWhenNothingIsNew) {
  snarl::Options options = up_to(1'000'000);
  options.policy = "random";
  const snarl::Result result = snarl::explore(options, [] { comes_second(); });
  EXPECT_TRUE(result) << result.report;
  EXPECT_GE(result.schedules, 6908u);
  EXPECT_LT(result.schedules, 1'000'000u);
  EXPECT_TRUE(has(result.note, "exhausted")) << result.note;
}

}  // namespace
