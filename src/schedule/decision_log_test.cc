#include "schedule/decision_log.h"

#include <gtest/gtest.h>

#include <vector>

namespace snarl {
namespace {

std::vector<std::span<Decision>> prepared;
void note(std::span<Decision> room) { prepared.push_back(room); }

class DecisionLogTest : public testing::Test {
 protected:
  DecisionLogTest() { prepared.clear(); }

  void write(DecisionLog& log, size_t decisions) {
    for (Step step = 1; step <= decisions; ++step) {
      Decision& next = log.room_for_next();
      next.step = step;
      log.add(next);
    }
  }
  void expect_steps(size_t logged) const {
    ASSERT_EQ(count, logged);
    for (size_t i = 0; i < logged; ++i) ASSERT_EQ(room[i].step, i + 1);
  }

  std::vector<Decision> room = std::vector<Decision>(20'000);
  uint32_t count = 0;
  uint64_t switches = 0, hash = 0;
};

TEST_F(DecisionLogTest, CountsAndHashesWhatItHasNoRoomFor) {
  DecisionLog log({room.data(), 10}, count, switches, hash);
  write(log, 10);
  const uint64_t before = hash;
  write(log, 5);
  expect_steps(10);
  EXPECT_EQ(switches, 15u);
  EXPECT_NE(hash, before);
  EXPECT_EQ(room[10].step, 0u);
}

TEST_F(DecisionLogTest, PreparesNothingForAShortRun) {
  DecisionLog log(room, count, switches, hash, note);
  write(log, 100);
  EXPECT_TRUE(prepared.empty());
}

// Each part where the last one ended, all before it is used, and nothing beyond the room.
TEST_F(DecisionLogTest, PreparesTheRestInGrowingParts) {
  DecisionLog log(room, count, switches, hash, note);
  write(log, room.size() + 7);
  expect_steps(room.size());
  EXPECT_EQ(switches, room.size() + 7);
  ASSERT_GE(prepared.size(), 3u);
  EXPECT_EQ(prepared[0].size(), 100u);
  EXPECT_EQ(prepared[1].size(), 200u);
  const Decision* end = room.data() + 100;
  for (const std::span<Decision> part : prepared) {
    EXPECT_EQ(part.data(), end);
    end = part.data() + part.size();
  }
  EXPECT_EQ(end, room.data() + room.size());
}

TEST_F(DecisionLogTest, WritesTheSameWhetherPreparedOrNot) {
  DecisionLog plain(room, count, switches, hash);
  write(plain, 3000);
  const uint64_t expected = hash;
  DecisionLog log(room, count, switches, hash, note);
  write(log, 3000);
  EXPECT_EQ(hash, expected);
}

TEST_F(DecisionLogTest, LessRoomThanTheFirstPart) {
  DecisionLog log({room.data(), 10}, count, switches, hash, note);
  write(log, 12);
  expect_steps(10);
  EXPECT_TRUE(prepared.empty());
}

}  // namespace
}  // namespace snarl
