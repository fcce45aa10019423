#include "schedule/stack_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/rng.h"

namespace snarl {
namespace {

class StackTableTest : public testing::Test {
 protected:
  static constexpr size_t kStacks = 64, kFrames = 256;

  uint32_t id_of(const std::vector<uint64_t>& stack) {
    return StackTable(entries_, frames_, index_, used_, frames_used_).id_of(stack);
  }
  std::vector<uint64_t> stack_of(uint32_t id) const {
    const auto frames = stack_frames(id, {entries_.data(), used_}, {frames_.data(), frames_used_});
    return {frames.begin(), frames.end()};
  }

  std::vector<StackEntry> entries_ = std::vector<StackEntry>(kStacks);
  std::vector<uint64_t> frames_ = std::vector<uint64_t>(kFrames);
  std::vector<uint32_t> index_ = std::vector<uint32_t>(2 * kStacks);
  uint32_t used_ = 0, frames_used_ = 0;
};

TEST_F(StackTableTest, EqualStacksHaveOneId) {
  const uint32_t id = id_of({1, 2, 3});
  EXPECT_NE(id, 0u);
  EXPECT_EQ(id_of({1, 2, 3}), id);
  EXPECT_NE(id_of({1, 2}), id) << "a part of it";
  EXPECT_NE(id_of({1, 2, 3, 0}), id);
  EXPECT_NE(id_of({3, 2, 1}), id);
  EXPECT_EQ(used_, 4u);
  EXPECT_EQ(frames_used_, 3u + 2 + 4 + 3);
  EXPECT_EQ(stack_of(id), (std::vector<uint64_t>{1, 2, 3}));
}

TEST_F(StackTableTest, NoneIsZero) {
  EXPECT_EQ(id_of({}), 0u);
  EXPECT_TRUE(stack_of(0).empty());
  EXPECT_TRUE(stack_of(9).empty());
}

TEST_F(StackTableTest, WithoutRoomThereIsNone) {
  for (uint64_t i = 0; i < kStacks; ++i) EXPECT_EQ(id_of({i + 1}), i + 1);
  EXPECT_EQ(id_of({1000}), 0u);
  EXPECT_EQ(id_of({7}), 7u) << "those that are there are found";
  EXPECT_EQ(used_, kStacks);
}

TEST_F(StackTableTest, WithoutRoomForFramesThereIsNone) {
  EXPECT_NE(id_of(std::vector<uint64_t>(kFrames - 1, 5)), 0u);
  EXPECT_EQ(id_of({1, 2}), 0u);
  EXPECT_NE(id_of({1}), 0u);
}

// Against a map, which knows nothing of hashes.
TEST_F(StackTableTest, FindsWhatAMapFinds) {
  Rng rng(3);
  std::map<std::vector<uint64_t>, uint32_t> known;
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint64_t> stack(1 + rng.below(3));
    for (uint64_t& frame : stack) frame = rng.below(3);
    const uint32_t id = id_of(stack);
    const auto [at, is_new] = known.try_emplace(stack, id);
    ASSERT_EQ(at->second, id);
    ASSERT_EQ(stack_of(id), stack);
    ASSERT_TRUE(!is_new || id == known.size());
  }
  EXPECT_EQ(known.size(), 3u + 9 + 27);
}

}  // namespace
}  // namespace snarl
