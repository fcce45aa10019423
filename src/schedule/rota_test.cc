#include "schedule/rota.h"

#include <gtest/gtest.h>

#include <vector>

namespace snarl {
namespace {

TEST(Rota, GivesEachPolicyItsTurnInOrder) {
  const Rota rota(3);
  for (uint64_t index = 0; index < 30; ++index) {
    EXPECT_EQ(rota.policy_at(index), index % 3);
    EXPECT_EQ(rota.turn_at(index), index / 3);
  }
}

TEST(Rota, CountsTurnsAsOneWhoLooksAtEveryIndex) {
  const uint8_t cycle[] = {0, 1, 0, 0, 2, 0, 1};
  const Rota rota(cycle);
  std::vector<uint64_t> turns(3, 0);
  for (uint64_t index = 0; index < 1000; ++index) {
    for (size_t policy = 0; policy < 3; ++policy) ASSERT_EQ(rota.turns_before(index, policy), turns[policy]);
    const size_t policy = cycle[index % 7];
    ASSERT_EQ(rota.policy_at(index), policy);
    ASSERT_EQ(rota.turn_at(index), turns[policy]++);
  }
  EXPECT_EQ(rota.share_of(0), 4u);
}

TEST(Rota, OneBeginsWithOnePolicy) {
  const Rota rota;
  EXPECT_EQ(rota.policy_at(17), 0u);
  EXPECT_EQ(rota.turn_at(17), 17u);
}

}  // namespace
}  // namespace snarl
