#include "detect/metric_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"

namespace snarl::detect {
namespace {

constexpr uint64_t kX = 0x1000, kLock = 0x2000;

Event at(uint32_t thread, OpKind kind, uint64_t object, uint64_t pc, uint64_t value = 0) {
  Event event{.object = object, .value = value, .pc = pc, .kind = kind};
  event.thread = thread & 0xff;
  event.size = 4;
  return event;
}

class Metric : public ::testing::Test {
 protected:
  void SetUp() override {
    add(0, OpKind::kCreate, 0, 1, 1);
    add(0, OpKind::kCreate, 0, 1, 2);
  }
  void add(uint32_t thread, OpKind kind, uint64_t object, uint64_t pc, uint64_t value = 0) {
    metric_.add(at(thread, kind, object, pc, value));
  }
  void expect(std::set<PlacePair> pairs) {
    EXPECT_EQ(metric_.pairs(), pairs);
    EXPECT_FALSE(metric_.is_cut());
  }
  MetricPairs metric_;
};

// The detector would have dropped the first two, for which the last write stands.
TEST_F(Metric, KeepsEachPlace) {
  add(1, OpKind::kWrite, kX, 10);
  add(1, OpKind::kRead, kX, 11);
  add(1, OpKind::kWrite, kX, 12);
  add(2, OpKind::kRead, kX, 20);
  add(2, OpKind::kWrite, kX, 21);
  expect({{10, 20}, {12, 20}, {10, 21}, {11, 21}, {12, 21}});
}

TEST_F(Metric, LocksOrder) {
  add(1, OpKind::kLock, kLock, 9);
  add(1, OpKind::kWrite, kX, 10);
  add(1, OpKind::kUnlock, kLock, 11);
  add(1, OpKind::kWrite, kX, 12);
  add(2, OpKind::kLock, kLock, 19);
  add(2, OpKind::kRead, kX, 20);
  add(2, OpKind::kUnlock, kLock, 21);
  expect({{12, 20}});
}

TEST_F(Metric, ThePairOfFigureSevenNeedsTheReadersLockFirst) {
  add(2, OpKind::kWrite, kX, 20);
  add(1, OpKind::kLock, kLock, 9);
  add(1, OpKind::kRead, kX, 10);
  add(1, OpKind::kUnlock, kLock, 11);
  add(2, OpKind::kLock, kLock, 21);
  add(2, OpKind::kUnlock, kLock, 22);
  expect({{10, 20}});
}

TEST_F(Metric, WhatIsCreatedAndJoinedIsOrdered) {
  add(1, OpKind::kWrite, kX, 10);
  add(1, OpKind::kExit, 0, 0);
  add(0, OpKind::kJoin, 0, 2, 1);
  add(0, OpKind::kWrite, kX, 30);
  expect({});
}

TEST_F(Metric, AtomicsOrderByTheirMemoryOrder) {
  const auto atomic = [this](uint32_t thread, OpKind kind, MemoryOrder order) {
    Event event = at(thread, kind, kX + 8, 40 + thread);
    event.order = order;
    metric_.add(event);
  };
  add(1, OpKind::kWrite, kX, 10);
  atomic(1, OpKind::kAtomicStore, MemoryOrder::kRelease);
  atomic(2, OpKind::kAtomicLoad, MemoryOrder::kAcquire);
  add(2, OpKind::kRead, kX, 20);
  expect({});
  add(1, OpKind::kWrite, kX, 11);
  atomic(1, OpKind::kAtomicStore, MemoryOrder::kRelaxed);
  atomic(2, OpKind::kAtomicLoad, MemoryOrder::kAcquire);
  add(2, OpKind::kRead, kX, 21);
  expect({{11, 20}, {11, 21}});
}

TEST_F(Metric, OtherBytesAreOtherVariables) {
  add(1, OpKind::kWrite, kX, 10);
  add(2, OpKind::kWrite, kX + 4, 20);
  expect({});
  add(2, OpKind::kWrite, kX + 2, 21);
  expect({{10, 21}});
}

// Against the definition: every access is kept, and two are ordered if a path of locks leads from one to the other.
TEST(MetricOracle, CountsAllPairsOfRandomTraces) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Event> trace{at(0, OpKind::kCreate, 0, 1, 1), at(0, OpKind::kCreate, 0, 1, 2)};
    uint32_t owner = 0;
    for (int i = 0; i < 40; ++i) {
      const auto thread = static_cast<uint32_t>(1 + rng.below(2));
      const uint64_t draw = rng.below(6);
      if (draw == 0 && owner == 0) {
        trace.push_back(at(owner = thread, OpKind::kLock, kLock, 2));
      } else if (draw == 1 && owner == thread) {
        trace.push_back(at(thread, OpKind::kUnlock, kLock, 3));
        owner = 0;
      } else {
        trace.push_back(at(thread, rng.below(2) == 0 ? OpKind::kRead : OpKind::kWrite, kX + 8 * rng.below(2),
                           100 * thread + rng.below(8)));
      }
    }
    const size_t n = trace.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
    for (size_t j = 0; j < n; ++j)
      for (size_t i = j; i-- > 0;) {
        const bool edge = trace[i].thread == trace[j].thread || trace[i].kind == OpKind::kCreate ||
                          (trace[i].kind == OpKind::kUnlock && trace[j].kind == OpKind::kLock);
        if (!edge) continue;
        before[i][j] = true;
        for (size_t k = 0; k < i; ++k)
          if (before[k][i]) before[k][j] = true;
      }
    std::set<PlacePair> expected;
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < j; ++i) {
        const Event &a = trace[i], &b = trace[j];
        if (!is_memory_access(a.kind) || !is_memory_access(b.kind) || a.object != b.object || before[i][j]) continue;
        if (a.kind == OpKind::kWrite || b.kind == OpKind::kWrite) expected.insert(std::minmax(a.pc, b.pc));
      }
    MetricPairs metric;
    for (const Event& event : trace) metric.add(event);
    ASSERT_EQ(metric.pairs(), expected) << round;
  }
}

}  // namespace
}  // namespace snarl::detect
