// An ordinary GoogleTest program that knows nothing of snarl, to be run with `snarl run --launcher` in front of it.
#include <gtest/gtest.h>

#include "bodies.h"

TEST(Single, Passes) { EXPECT_EQ(1 + 1, 2); }
TEST(Single, Fails) { EXPECT_EQ(1 + 1, 3); }
TEST(Threads, Good) { EXPECT_EQ(add_twice(), 4); }
TEST(Threads, Overdrawn) { EXPECT_GE(withdraw_twice(), 0); }
