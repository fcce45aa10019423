#include "explore/execute/sleep_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "os/test_child.h"

namespace snarl::explore {
namespace {

void deadlock() {
  static std::mutex mutex;
  mutex.lock();
  std::thread([] { mutex.lock(); }).join();
}
void nap() { usleep(1000); }
void wait_with_time() {
  static std::timed_mutex mutex;
  mutex.lock();
  std::thread([] { (void)mutex.try_lock_for(std::chrono::seconds(100)); }).join();
}
void wait_beside_child() {
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pause();
  }
  deadlock();
}

bool soon_sleeps_for_good(const os::TestChild& child) {
  for (int i = 0; i < 10'000; ++i, usleep(1000))
    if (sleeps_for_good(child.pid())) return true;
  return false;
}

TEST(SleepWatch, SeesADeadlock) { EXPECT_TRUE(soon_sleeps_for_good(os::TestChild(deadlock))); }

TEST(SleepWatch, WhoeverWaitsForTimeOrHasAChildMayGoOn) {
  const os::TestChild napping(nap), waiting(wait_with_time), parent(wait_beside_child);
  for (int i = 0; i < 100; ++i, usleep(2000)) {
    EXPECT_FALSE(sleeps_for_good(napping.pid()));
    EXPECT_FALSE(sleeps_for_good(waiting.pid()));
    EXPECT_FALSE(sleeps_for_good(parent.pid()));
  }
}

TEST(SleepWatch, NoProcessDoesNotSleep) { EXPECT_FALSE(sleeps_for_good(-1)); }

TEST(SleepWatch, SaysSoAfterAWhileInARow) {
  SleepWatch watch;
  watch.begin(10);
  bool sleeps = true;
  const auto see = [&] { return sleeps; };
  EXPECT_FALSE(watch.look(10.01, [] {
    ADD_FAILURE() << "too early";
    return true;
  }));
  EXPECT_FALSE(watch.look(10.3, see));
  sleeps = false;
  EXPECT_FALSE(watch.look(10.4, see));
  sleeps = true;
  EXPECT_FALSE(watch.look(10.8, see));
  EXPECT_DOUBLE_EQ(watch.next_look(), 10.8 + SleepWatch::kInterval);
  EXPECT_TRUE(watch.look(10.9 + SleepWatch::kInterval, see));
}

}  // namespace
}  // namespace snarl::explore
