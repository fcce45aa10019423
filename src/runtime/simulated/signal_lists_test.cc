#include "runtime/simulated/signal_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"

namespace snarl::runtime::signals {
namespace {

siginfo_t info_of(int signal, int value) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_value.sival_int = value;
  return info;
}

TEST(SignalLists, AreEmptyAtZero) {
  EXPECT_EQ(first_in(0), 0);
  EXPECT_EQ(set_of(0), 0u);
  EXPECT_FALSE(is_queued(0, SIGUSR1));
}

TEST(SignalLists, LowNumbersComeFirstAndThoseOfOneNumberAsTheyWereSent) {
  uint16_t list = 0;
  for (const auto& [signal, value] : {std::pair{40, 1}, {10, 2}, {40, 3}, {34, 4}, {10, 5}})
    enqueue(list, info_of(signal, value));
  EXPECT_EQ(set_of(list), bit_of(10) | bit_of(34) | bit_of(40));
  std::vector<int> values;
  while (list != 0) values.push_back(dequeue(list).si_value.sival_int);
  EXPECT_EQ(values, (std::vector{2, 5, 4, 1, 3}));
}

TEST(SignalLists, TooManyAreRefusedAndPlacesAreUsedAgain) {
  uint16_t list = 0;
  int count = 0;
  while (enqueue(list, info_of(SIGUSR1, count))) ASSERT_LT(++count, 10'000);
  ASSERT_GT(count, 100);
  dequeue(list);
  EXPECT_TRUE(enqueue(list, info_of(SIGUSR2, 0)));
  EXPECT_FALSE(enqueue(list, info_of(SIGUSR2, 0)));
  while (list != 0) dequeue(list);
}

// Several lists share their places. The reference sorts.
TEST(SignalLists, AreAsASortedVector) {
  Rng rng(1, 2, Stream::kPolicy);
  uint16_t lists[3] = {};
  std::vector<std::pair<int, int>> expected[3];
  for (int i = 0; i < 5000; ++i) {
    const auto which = rng.below(3);
    if (rng.below(5) < 3 && expected[which].size() < 100) {
      const int signal = 1 + static_cast<int>(rng.below(64));
      ASSERT_TRUE(enqueue(lists[which], info_of(signal, i)));
      expected[which].emplace_back(signal, i);
      std::sort(expected[which].begin(), expected[which].end());
    } else if (!expected[which].empty()) {
      ASSERT_EQ(first_in(lists[which]), expected[which].front().first);
      const siginfo_t got = dequeue(lists[which]);
      ASSERT_EQ(std::pair(got.si_signo, got.si_value.sival_int), expected[which].front());
      expected[which].erase(expected[which].begin());
    }
    ASSERT_EQ(lists[which] == 0, expected[which].empty());
  }
  for (uint16_t& list : lists)
    while (list != 0) dequeue(list);
}

}  // namespace
}  // namespace snarl::runtime::signals
