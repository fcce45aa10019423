#include "conduct/partial_order.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace snarl::conduct {
namespace {

// Main and two threads that lock mutexes, each a step.
class PartialOrderTest : public ::testing::Test {
 protected:
  void begin(StaticName name = nullptr) {
    for (ThreadId t = 0; t < 3; ++t) {
      slots_[t].taken = 0;
      slots_[t].name = name_of_child(kMainName, t);
    }
    order_->begin(&sum_, name, slots_.data());
    order_->spawned(kMainThread, 1);
    order_->spawned(kMainThread, 2);
  }
  void lock(ThreadId t, uint64_t mutex) {
    ++slots_[t].taken;
    order_->stepped_mutex(t, OpKind::kLock, mutex);
  }
  uint64_t hash_of(const std::vector<std::pair<ThreadId, uint64_t>>& locked, StaticName name = nullptr) {
    begin(name);
    for (const auto& [t, mutex] : locked) lock(t, mutex);
    return sum_;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(3);
  uint64_t sum_ = 0;
  std::unique_ptr<PartialOrder> order_ = std::make_unique<PartialOrder>();
};

// Where no object has a name, too, what is the same object shows.
TEST_F(PartialOrderTest, AddressesDoNotMatter) {
  EXPECT_EQ(hash_of({{1, 8}, {2, 8}, {1, 16}}), hash_of({{1, 56}, {2, 56}, {1, 24}}));
  EXPECT_NE(hash_of({{1, 8}, {2, 8}, {1, 16}}), hash_of({{1, 8}, {2, 16}, {1, 16}}));
  EXPECT_NE(hash_of({{1, 8}, {2, 8}}), hash_of({{2, 8}, {1, 8}}));
  EXPECT_EQ(hash_of({{1, 8}, {2, 16}}), hash_of({{2, 16}, {1, 8}}));
}

// Which object a thread takes may depend on what is not a point.
TEST_F(PartialOrderTest, NamesDo) {
  const StaticName named = [](uint64_t address) { return address; };
  EXPECT_NE(hash_of({{1, 8}}, named), hash_of({{1, 16}}, named));
  EXPECT_EQ(hash_of({{1, 8}}), hash_of({{1, 16}}));
}

TEST_F(PartialOrderTest, ManyObjectsAreKeptApart) {
  std::vector<std::pair<ThreadId, uint64_t>> first, second;
  for (uint64_t i = 1; i <= PartialOrder::kMostObjects / 2; ++i) first.push_back({1, 64 * i});
  for (uint64_t i = 1; i <= PartialOrder::kMostObjects / 2; ++i) second.push_back({2, 64 * i + 8});
  std::vector<std::pair<ThreadId, uint64_t>> one_by_one, in_turn;
  for (size_t i = 0; i < first.size(); ++i) in_turn.insert(in_turn.end(), {second[i], first[i]});
  one_by_one = first;
  one_by_one.insert(one_by_one.end(), second.begin(), second.end());
  const uint64_t hash = hash_of(one_by_one);
  EXPECT_NE(hash, 0u);
  EXPECT_EQ(hash, hash_of(in_turn));
  one_by_one.push_back({1, 8});
  EXPECT_EQ(hash_of(one_by_one), 0u) << "more objects than there is room for";
  EXPECT_NE(hash_of({{1, 8}}), 0u);
}

// What lies where another object was is not that object.
TEST_F(PartialOrderTest, AFreedObjectIsForgotten) {
  const uint64_t apart = hash_of({{1, 8}, {2, 16}});
  begin();
  lock(1, 8);
  order_->forget(8);
  lock(2, 8);
  EXPECT_EQ(sum_, apart);
}

// Steps that nobody would have asked for are looked at while there are few.
TEST_F(PartialOrderTest, LooksAtFewUnseenSteps) {
  begin();
  const Op read{.kind = OpKind::kRead, .object = 8};
  for (uint32_t i = 0; i < PartialOrder::kMostUnseen; ++i) EXPECT_TRUE(order_->stepped_unseen(1, read));
  EXPECT_NE(sum_, 0u);
  EXPECT_TRUE(order_->is_wanted());
  EXPECT_FALSE(order_->stepped_unseen(1, read));
  EXPECT_EQ(sum_, 0u);
  EXPECT_FALSE(order_->is_wanted());
}

}  // namespace
}  // namespace snarl::conduct
