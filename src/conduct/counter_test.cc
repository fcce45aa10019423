// Counts and names of a profiling run.
#include "conduct/counter.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "conduct/object_names.h"

namespace snarl::conduct {
namespace {

uint64_t events_of(const std::vector<ThreadCount>& counts, uint64_t name) {
  for (const ThreadCount& count : counts)
    if (count.name == name) return count.events;
  return 0;
}

TEST(Counter, CountsByThreadAndObject) {
  std::vector<ThreadCount> threads(16, {99, 99, 99});
  std::vector<ObjectCount> objects(16);
  Counter counter(threads, objects);
  const uint64_t child = name_of_child(kMainName, 0);
  counter.spawned(child, kMainName);
  for (int i = 0; i < 5; ++i) counter.count(kMainName, i < 2 ? 7 : 0);
  for (int i = 0; i < 3; ++i) counter.count(child, 7);
  EXPECT_EQ(events_of(threads, kMainName), 5u);
  EXPECT_EQ(events_of(threads, child), 3u);
  EXPECT_EQ(events_of(threads, 99), 0u) << "what stood there before is gone";
  uint64_t on_object = 0;
  for (const ObjectCount& count : objects) on_object += count.object == 7 ? count.events : 0;
  EXPECT_EQ(on_object, 5u);
}

TEST(Counter, WhatDoesNotFitInIsNotCounted) {
  std::vector<ThreadCount> threads(8);
  std::vector<ObjectCount> objects(8);
  Counter counter(threads, objects);
  for (uint64_t name = 1; name < 1000; ++name) {
    counter.spawned(mix64(name), kMainName);
    counter.count(mix64(name), name);
  }
  std::set<uint64_t> names;
  for (const ThreadCount& count : threads) names.insert(count.name);
  EXPECT_EQ(names.size(), 8u);
}

class Names : public testing::Test {
 protected:
  std::vector<char> memory_ = std::vector<char>(1 << 17);
  Arena arena_{memory_.data(), memory_.size()};
  ObjectNames names_;
};

// Addresses differ between processes: an object with a fixed place is named by it, any other by the thread that comes
// first.
TEST_F(Names, AreTheSameForOtherAddresses) {
  const auto below_1000 = [](uint64_t address) { return address < 1000 ? address : 0; };
  const uint64_t child = name_of_child(kMainName, 0);
  const auto run = [&](uint64_t base) {
    arena_.reset();
    names_.begin(arena_, below_1000);
    names_.spawned(1);
    return std::vector<uint64_t>{names_.name(base, 0, kMainName), names_.name(500, 0, kMainName),
                                 names_.name(base + 64, 0, kMainName), names_.name(base + 8, 1, child),
                                 names_.name(base, 1, child)};
  };
  const std::vector<uint64_t> first = run(0x5555'0000), second = run(0x7777'0000);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first[1], 500u);
  EXPECT_EQ(first[4], first[0]) << "named once";
  EXPECT_EQ(std::set<uint64_t>(first.begin(), first.end()).size(), 4u);
}

TEST_F(Names, AFullTableGivesNoName) {
  names_.begin(arena_, nullptr);
  uint64_t named = 0;
  for (uint64_t object = 1; object <= 10'000; ++object) named += names_.name(object, 0, kMainName) != 0;
  EXPECT_EQ(named, ObjectNames::kRoom);
  EXPECT_NE(names_.name(1, 0, kMainName), 0u) << "those that have one keep it";
}

}  // namespace
}  // namespace snarl::conduct
