#include "runtime/reset/told.h"

#include <gtest/gtest.h>

#include <memory>

namespace snarl::runtime {
namespace {

TEST(Told, EachOnce) {
  Told<64> told;
  for (uint64_t hash = 0; hash < 40; hash += 2) EXPECT_TRUE(told.is_new(hash * 0x9e3779b97f4a7c15));
  for (uint64_t hash = 0; hash < 40; hash += 2) EXPECT_FALSE(told.is_new(hash * 0x9e3779b97f4a7c15));
  told.forget();
  EXPECT_TRUE(told.is_new(0));
}

// What does not fit is told each time: nobody misses it, and no search is without end.
TEST(Told, TooManyAreToldAgain) {
  const auto told = std::make_unique<Told<64>>();
  for (uint64_t i = 1; i <= 1000; ++i) EXPECT_TRUE(told->is_new(i << 20));
  int again = 0;
  for (uint64_t i = 1; i <= 1000; ++i) again += told->is_new(i << 20) ? 1 : 0;
  EXPECT_EQ(again, 1000 - 32);
}

}  // namespace
}  // namespace snarl::runtime
