// SNARL_TEST: run by library_test.py, which looks at what this program says.
#include <gtest/gtest.h>
#include <snarl/snarl.h>

#include "bodies.h"

SNARL_TEST(Good, Passes) { EXPECT_EQ(add_twice(), 4); }

SNARL_TEST(Wrong, Expect) { EXPECT_GE(withdraw_twice(), 0) << "overdrawn"; }

SNARL_TEST(Wrong, ExpectInAThread) {
  std::mutex mutex;
  int next = 0;
  std::thread other([&] {
    std::lock_guard<std::mutex> lock(mutex);
    ++next;
  });
  std::thread late([&] {
    std::lock_guard<std::mutex> lock(mutex);
    ASSERT_EQ(next, 1);
  });
  other.join();
  late.join();
}

SNARL_TEST(Wrong, Deadlock) { deadlock(); }

TEST(Plain, StillRuns) { EXPECT_EQ(add_twice(), 4); }
