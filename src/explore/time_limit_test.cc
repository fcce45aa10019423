#include "explore/time_limit.h"

#include <gtest/gtest.h>

#include "explore/cores.h"
#include "explore/pinned.h"
#include "explore/test_child.h"

namespace snarl {
namespace {

TEST(TimeLimit, WaitingForACoreDoesNotCount) {
  EXPECT_DOUBLE_EQ(latest_end(100, 10, 0), 110);
  EXPECT_DOUBLE_EQ(latest_end(100, 10, 25), 135);
}

TEST(TimeLimit, IsNotProlongedForEver) { EXPECT_DOUBLE_EQ(latest_end(100, 10, 1e6), 300); }

TEST(WaitedForCore, TellsWaitingFromSleepingAndFromWork) {
  const Pinned here(allowed_cores().back());  // the children inherit it
  const TestChild sleeper([] { pause(); }), one([] {}), other([] {});
  while (waited_for_core(one.pid()) < 0.02 || waited_for_core(other.pid()) < 0.02) usleep(1000);
  EXPECT_LT(waited_for_core(sleeper.pid()), waited_for_core(one.pid()) + waited_for_core(other.pid()));
  EXPECT_EQ(waited_for_core(sleeper.pid()), waited_for_core(sleeper.pid()));
}

TEST(WaitedForCore, OfNobodyIsNothing) { EXPECT_EQ(waited_for_core(0x7ffffff0), 0); }

}  // namespace
}  // namespace snarl
