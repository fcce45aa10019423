#include "os/core_claims.h"

#include <gtest/gtest.h>

#include <optional>

namespace snarl::os {
namespace {

// No machine has these, so no snarl that runs beside this test claims them.
const std::vector<int> kCores = {100001, 100002, 100003};
using Cores = std::vector<int>;

TEST(CoreClaims, AloneTheyAreTheFirstOnes) {
  EXPECT_EQ(CoreClaims(kCores, 2).cores(), Cores({100001, 100002}));
  EXPECT_EQ(CoreClaims(kCores, 5).cores(), Cores({100001, 100002, 100003, 100001, 100002}));
}

TEST(CoreClaims, OthersTakeWhatIsFreeAndThenWhatTheFewestHave) {
  const CoreClaims first(kCores, 1), second(kCores, 1);
  EXPECT_EQ(second.cores(), Cores({100002}));
  const CoreClaims third(kCores, 2);
  EXPECT_EQ(third.cores(), Cores({100003, 100001}));
  EXPECT_EQ(CoreClaims(kCores, 1).cores(), Cores({100002}));
}

TEST(CoreClaims, EndWithTheirObject) {
  std::optional<CoreClaims> first(std::in_place, kCores, 1);
  first.reset();
  EXPECT_EQ(CoreClaims(kCores, 1).cores(), Cores({100001}));
}

TEST(CoreClaims, UnknownCoresNeedNoClaim) { EXPECT_EQ(CoreClaims({-1}, 2).cores(), Cores({-1, -1})); }

}  // namespace
}  // namespace snarl::os
