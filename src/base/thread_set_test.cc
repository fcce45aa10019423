#include "base/thread_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "base/rng.h"

namespace snarl {
namespace {

std::vector<ThreadId> members(const ThreadSet& set) {
  std::vector<ThreadId> all;
  set.for_each([&](ThreadId t) { all.push_back(t); });
  return all;
}

void expect_same(const ThreadSet& set, const std::set<ThreadId>& reference) {
  ASSERT_EQ(members(set), std::vector<ThreadId>(reference.begin(), reference.end()));
  ASSERT_EQ(set.size(), static_cast<int>(reference.size()));
  ASSERT_EQ(set.empty(), reference.empty());
  ASSERT_EQ(set.first(), reference.empty() ? kNoThread : *reference.begin());
  int rank = 0;
  for (ThreadId t : reference) ASSERT_EQ(set.nth(rank++), t);
  ASSERT_EQ(set.nth(rank), kNoThread);
}

// Slots near word borders, first and last ones, and any.
ThreadId some_slot(Rng& rng) {
  constexpr ThreadId kEdges[] = {0, 1, 62, 63, 64, 65, 127, 128, 511, 512, 960, 1022, 1023};
  if (rng.below(2) == 0) return kEdges[rng.below(std::size(kEdges))];
  return static_cast<ThreadId>(rng.below(kMaxThreads));
}

TEST(ThreadSet, AgreesWithStdSetUnderRandomOperations) {
  Rng rng(1);
  ThreadSet set;
  std::set<ThreadId> reference;
  for (int i = 0; i < 20'000; ++i) {
    const ThreadId t = some_slot(rng);
    switch (rng.below(rng.below(100) == 0 ? 6 : 5)) {
      case 0: set.add(t), reference.insert(t); break;
      case 1: set.remove(t), reference.erase(t); break;
      case 2: set.put(t, true), reference.insert(t); break;
      case 3: set.put(t, false), reference.erase(t); break;
      case 4: ASSERT_EQ(set.has(t), reference.count(t) == 1); break;
      case 5: set.clear(), reference.clear(); break;
    }
    if (i % 16 == 0) expect_same(set, reference);
  }
}

TEST(ThreadSet, MinusAndIntersectsAgreeWithStdSet) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    ThreadSet a, b;
    std::set<ThreadId> both, only_a;
    const uint64_t adds = rng.below(12);
    for (uint64_t i = 0; i < adds; ++i) a.add(some_slot(rng)), b.add(some_slot(rng));
    for (ThreadId t : members(a)) (b.has(t) ? both : only_a).insert(t);
    expect_same(a.minus(b), only_a);
    EXPECT_EQ(a.intersects(b), !both.empty());
    EXPECT_EQ(b.intersects(a), !both.empty());
    const auto is_beyond = [](ThreadId t) { return t >= kMaxThreads; };
    EXPECT_EQ(a.is_within(b, kMaxThreads), std::all_of(only_a.begin(), only_a.end(), is_beyond));
    expect_same(a.minus(a), {});
  }
}

TEST(ThreadSet, WholeSetsAgreeWithStdSet) {
  Rng rng(3);
  ThreadSet set;
  std::set<ThreadId> reference;
  for (int round = 0; round < 2000; ++round) {
    ThreadSet others;
    std::set<ThreadId> common;
    for (uint64_t i = rng.below(40); i > 0; --i) others.add(some_slot(rng));
    for (ThreadId t : members(others))
      if (reference.count(t) != 0) common.insert(t);
    expect_same(set.common(others), common);
    expect_same(others.common(set), common);
    const bool adds = rng.below(2) == 0;
    adds ? set.add_all(others) : set.remove_all(others);
    for (ThreadId t : members(others)) adds ? (void)reference.insert(t) : (void)reference.erase(t);
    expect_same(set, reference);
    if (rng.below(20) == 0) set.clear(), reference.clear();
  }
}

TEST(ThreadSet, FindsTheNthOfAFullWord) {
  ThreadSet set;
  for (ThreadId t = 64; t < 192; ++t) set.add(t);
  for (int rank = 0; rank < 128; ++rank) EXPECT_EQ(set.nth(rank), 64 + rank);
}

TEST(ThreadSet, FirstAbsent) {
  ThreadSet set;
  EXPECT_EQ(set.first_absent(128), 0);
  for (ThreadId t = 0; t < 70; ++t) set.add(t);
  EXPECT_EQ(set.first_absent(128), 70);
  EXPECT_EQ(set.first_absent(64), kNoThread);
  set.remove(5);
  EXPECT_EQ(set.first_absent(128), 5);
  set.clear();
  EXPECT_EQ(set.first_absent(128), 0);  // what is left of the words does not count
}

TEST(ThreadSet, VisitsSomeOfItsMembers) {
  ThreadSet set, other;
  for (const ThreadId t : std::vector<ThreadId>{1, 63, 64, 130}) set.add(t);
  for (const ThreadId t : std::vector<ThreadId>{1, 64, 200}) other.add(t);
  std::vector<ThreadId> below, outside;
  set.for_each_below(64, [&](ThreadId t) { below.push_back(t); });
  set.for_each_outside(other, [&](ThreadId t) { outside.push_back(t); });
  EXPECT_EQ(below, (std::vector<ThreadId>{1, 63}));
  EXPECT_EQ(outside, (std::vector<ThreadId>{63, 130}));
  other.clear();  // what is left of its words does not count
  outside.clear();
  set.for_each_outside(other, [&](ThreadId t) { outside.push_back(t); });
  EXPECT_EQ(outside.size(), 4u);
}

TEST(ThreadSet, FindsTheMemberWithTheGreatestValue) {
  ThreadSet set;
  for (const ThreadId t : std::vector<ThreadId>{5, 63, 64, 700}) set.add(t);
  EXPECT_EQ(set.greatest([](ThreadId t) { return t; }), 700);
  EXPECT_EQ(set.greatest([](ThreadId t) { return 1000 - t; }), 5);
  EXPECT_EQ(set.greatest([](ThreadId t) { return t == 64 ? 1 : 0; }), 64);
  EXPECT_EQ(set.greatest([](ThreadId) { return 0; }), 5);  // of several, the first
  set.take_out(5);
  EXPECT_EQ(set.greatest([](ThreadId) { return 0; }), 63);
  set.take_out(63);  // the only one of its word
  EXPECT_EQ(set.greatest([](ThreadId) { return 0; }), 64);
  EXPECT_EQ(set.size(), 2);
  EXPECT_FALSE(set.has(63));
}

TEST(ThreadSet, HoldsEverySlotAtOnce) {
  ThreadSet set;
  for (ThreadId t = 0; t < kMaxThreads; ++t) set.add(t);
  EXPECT_EQ(set.size(), kMaxThreads);
  for (ThreadId t = 0; t < kMaxThreads; ++t) EXPECT_EQ(set.nth(t), t);
  for (ThreadId t = 0; t < kMaxThreads; ++t) {
    EXPECT_EQ(set.first(), t);
    set.remove(t);
  }
  EXPECT_TRUE(set.empty());
}

}  // namespace
}  // namespace snarl
