#include "explore/execute/fiber_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "os/test_child.h"
#include "record/wire_memory.h"

namespace snarl::explore {
namespace {

using Verdict = FiberWatch::Verdict;
constexpr uint64_t kMillisecond = 1'000'000;

// A watch over a process that is as `sight` says: no real time, no process.
class Watched : public testing::Test {
 protected:
  void SetUp() override {
    watch.begin({.blocked_after = 3, .slice = 100 * kMillisecond}, now);
    sight.live = 2;
    sight.arrivals = 5;
    sight.cpu_time = kMillisecond;
  }

  Verdict look() {
    now = watch.next_look();
    return watch.look(now, sight.arrivals, [this] {
      ++seen;
      return sight;
    });
  }

  // The first verdict other than "fine" within so many looks, and how many it took.
  Verdict verdict_within(int looks) {
    for (taken = 1; taken <= looks; ++taken)
      if (const Verdict verdict = look(); verdict != Verdict::kFine) return verdict;
    return Verdict::kFine;
  }

  FiberWatch watch;
  Sight sight;
  double now = 100;
  int seen = 0, taken = 0;
};

TEST_F(Watched, WhoReachesPointsIsNotLookedAt) {
  for (; sight.arrivals < 100; ++sight.arrivals) EXPECT_EQ(look(), Verdict::kFine);
  EXPECT_EQ(seen, 0);
  EXPECT_NEAR(watch.next_look() - now, 0.010, 1e-9);
}

TEST_F(Watched, LooksMoreOftenWhileNoneIsReached) {
  look();
  look();
  EXPECT_EQ(seen, 1);
  EXPECT_NEAR(watch.next_look() - now, 0.001, 1e-9);
}

TEST_F(Watched, AsleepForSoManyLooksIsBlocked) {
  sight.asleep = true;
  EXPECT_EQ(verdict_within(10), Verdict::kBlocked);
  EXPECT_EQ(taken, 5);  // the first sees points, the second what it is compared with, three find nothing new
}

TEST_F(Watched, AnArrivalBetweenTwoLooksIsASign) {
  sight.asleep = true;
  for (int i = 0; i < 20; ++i) {
    if (i % 4 == 0) ++sight.arrivals, ++sight.cpu_time;
    EXPECT_EQ(look(), Verdict::kFine);
  }
}

TEST_F(Watched, WhoWaitsForTheOutsideMaySleep) {
  sight.asleep = sight.waits = true;
  EXPECT_EQ(verdict_within(50), Verdict::kFine);
}

TEST_F(Watched, ASingleThreadMaySleep) {
  sight.asleep = true;
  sight.live = 1;
  EXPECT_EQ(verdict_within(50), Verdict::kFine);
}

TEST_F(Watched, WhoSleepsOftenButShortlyIsNotBlocked) {
  sight.asleep = true;
  for (int i = 0; i < 50; ++i) {
    sight.cpu_time += i % 3 == 0 ? 1 : 0;
    EXPECT_EQ(look(), Verdict::kFine);
  }
}

TEST_F(Watched, WhoWritesWhatWeReadIsNotBlocked) {
  sight.asleep = true;
  for (int i = 0; i < 50; ++i) {
    sight.written += i % 3 == 0 ? 4096 : 0;
    EXPECT_EQ(look(), Verdict::kFine);
  }
}

TEST_F(Watched, WhoComputesForASliceRunsAway) {
  look();
  for (int used = 0; used < 100; ++used) {
    EXPECT_EQ(look(), Verdict::kFine) << used;
    sight.cpu_time += kMillisecond;
  }
  EXPECT_EQ(look(), Verdict::kRunsAway);
}

TEST_F(Watched, TheSliceIsHalvedDownToTenMilliseconds) {
  look();
  look();
  for (const uint64_t slice : {100u, 50u, 25u}) {
    sight.cpu_time += slice * kMillisecond - 1;
    EXPECT_EQ(look(), Verdict::kFine) << slice;
    sight.cpu_time += 1;
    EXPECT_EQ(look(), Verdict::kRunsAway) << slice;
  }
  for (int i = 0; i < 5; ++i) {
    sight.cpu_time += 12'500'000;  // at last a quarter of the half, then the least
    EXPECT_EQ(look(), Verdict::kRunsAway) << i;
  }
  sight.cpu_time += 9 * kMillisecond;
  EXPECT_EQ(look(), Verdict::kFine);
}

TEST_F(Watched, AShortSliceIsNotMadeLonger) {
  watch.begin({.blocked_after = 3, .slice = 2 * kMillisecond}, now);
  look();
  look();
  for (int i = 0; i < 3; ++i) {
    sight.cpu_time += 2 * kMillisecond;
    EXPECT_EQ(look(), Verdict::kRunsAway);
  }
}

TEST_F(Watched, AProgramWithoutOurThreadsMayCompute) {
  sight.live = 0;
  look();
  for (int i = 0; i < 50; ++i, sight.cpu_time += 1000 * kMillisecond) EXPECT_EQ(look(), Verdict::kFine);
}

TEST_F(Watched, AloneItIsLookedAtNowAndThen) {
  sight.live = 1;
  look();
  look();
  for (int i = 0; i < 5; ++i) {
    sight.cpu_time += 29 * kMillisecond;
    EXPECT_EQ(look(), Verdict::kFine) << i;
    sight.cpu_time += kMillisecond;
    EXPECT_EQ(look(), Verdict::kRunsAway) << i;
  }
}

TEST_F(Watched, ANewRunKnowsNothingOfTheLast) {
  sight.asleep = true;
  EXPECT_EQ(verdict_within(4), Verdict::kFine);
  watch.begin({.blocked_after = 3, .slice = kMillisecond}, now);
  EXPECT_EQ(verdict_within(4), Verdict::kFine);
  EXPECT_EQ(look(), Verdict::kBlocked);
}

TEST(SeeProcess, TellsSleepFromWork) {
  Expected<record::WireMemory> wire = record::WireMemory::create();
  ASSERT_TRUE(wire);
  wire->layout().state.on_fibers.live = 3;
  wire->layout().state.on_fibers.waits = 1;
  const os::TestChild sleeper([] { pause(); }), worker([] {});
  const auto see = [&wire](const os::TestChild& child) { return see_process(child.pid(), wire->layout(), 7); };
  while (!see(sleeper).asleep || see(worker).cpu_time < kMillisecond) usleep(1000);
  const Sight sight = see(worker);
  EXPECT_FALSE(sight.asleep);
  EXPECT_EQ(sight.live, 3u);
  EXPECT_TRUE(sight.waits);
  EXPECT_EQ(sight.written, 7u);
  EXPECT_EQ(see(sleeper).cpu_time, see(sleeper).cpu_time);
}

}  // namespace
}  // namespace snarl::explore
