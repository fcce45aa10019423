#include "detect/sync_preserving.h"

#include <gtest/gtest.h>

#include "detect/metric_pairs.h"
#include "detect/test_witness.h"

namespace snarl::detect {
namespace {

std::set<PairOfEvents> predicted(const Trace& trace, bool strong_only = false) {
  const std::vector<Event> events = events_of(trace);
  std::set<PairOfEvents> result;
  for (const PredictedRace& race : sync_preserving_races(PredictTrace(events), 1000).races)
    if (race.follows_order || !strong_only) result.insert({race.earlier, race.later});
  return result;
}

// Happens-before's, of the whole trace.
std::set<PairOfEvents> unordered(const Trace& trace) {
  MetricPairs pairs;
  for (const Event& event : events_of(trace)) pairs.add(event);
  std::set<PairOfEvents> result;
  for (const auto& [one, other] : pairs.pairs()) result.insert({one - 0x1000, other - 0x1000});
  return result;
}

TEST(SyncPreserving, FindsWhatAllOrdersTogetherShow) {
  Rng rng(1, 0, Stream::kSearch);
  size_t races = 0, missed_by_happens_before = 0;
  for (int i = 0; i < 600; ++i) {
    const Trace trace = random_trace(rng, 2 + i % 2, 20, 1'000'000);
    const std::set<PairOfEvents> found = predicted(trace);
    ASSERT_EQ(found, Reorderings(trace, Orders::kSyncPreserving).races()) << i;
    races += found.size();
    const std::set<PairOfEvents> seen = unordered(trace);
    for (const PairOfEvents& pair : found) missed_by_happens_before += seen.contains(pair) ? 0 : 1;
  }
  EXPECT_GT(races, 1000u);
  EXPECT_GT(missed_by_happens_before, 30u);
}

TEST(SyncPreserving, SaysWhichNeedNoOtherOrderOfLocks) {
  Rng rng(2, 0, Stream::kSearch);
  size_t races = 0, others = 0;
  for (int i = 0; i < 300; ++i) {
    const Trace trace = random_trace(rng, 3, 18, 1'000'000);
    const std::set<PairOfEvents> strong = predicted(trace, true);
    ASSERT_EQ(strong, Reorderings(trace, Orders::kStrong).races()) << i;
    races += strong.size();
    others += predicted(trace).size() - strong.size();
  }
  EXPECT_GT(races, 100u);
  EXPECT_GT(others, 4u);
}

TEST(SyncPreserving, WitnessesCanHappen) {
  Rng rng(3, 0, Stream::kSearch);
  for (int i = 0; i < 300; ++i) {
    const Trace trace = random_trace(rng, 3, 30, 1'000'000);
    const std::vector<Event> events = events_of(trace);
    for (const PredictedRace& race : sync_preserving_races(PredictTrace(events)).races)
      expect_possible(trace, race.witness);
  }
}

// One writes before its critical section, the other one after its own: happens-before goes by the lock.
TEST(SyncPreserving, LeavesOutACriticalSection) {
  const Trace trace = {{0, Did::kCreate, 1},  {1, Did::kStart},      {0, Did::kWrite, 0, 1}, {0, Did::kAcquire, 0},
                       {0, Did::kRelease, 0}, {1, Did::kAcquire, 0}, {1, Did::kRelease, 0},  {1, Did::kWrite, 0, 2}};
  EXPECT_TRUE(unordered(trace).empty());
  EXPECT_EQ(predicted(trace), (std::set<PairOfEvents>{{2, 7}}));
  Trace joined = trace;
  joined[2].did = Did::kRead, joined[7].did = Did::kRead;
  EXPECT_TRUE(predicted(joined).empty());
}

// The critical sections hand a value on: the second one depends on the first.
TEST(SyncPreserving, KeepsWhatIsRead) {
  const Trace trace = {{0, Did::kCreate, 1},   {1, Did::kStart},      {0, Did::kWrite, 0, 1}, {0, Did::kAcquire, 0},
                       {0, Did::kWrite, 1, 7}, {0, Did::kRelease, 0}, {1, Did::kAcquire, 0},  {1, Did::kRead, 1, 7},
                       {1, Did::kRelease, 0},  {1, Did::kWrite, 0, 2}};
  EXPECT_TRUE(predicted(trace).empty());
}

TEST(SyncPreserving, SaysThatItWasCut) {
  Trace trace = {{0, Did::kCreate, 1}, {1, Did::kStart}};
  for (int i = 0; i < 100; ++i) {
    trace.push_back({0, Did::kAcquire, 0});
    trace.push_back({0, Did::kWrite, 0, i + 1});
    trace.push_back({0, Did::kRelease, 0});
    trace.push_back({1, Did::kAcquire, 0});
    trace.push_back({1, Did::kWrite, 0, i + 1});
    trace.push_back({1, Did::kRelease, 0});
  }
  const std::vector<Event> events = events_of(trace);
  const PredictTrace graph(events);
  EXPECT_FALSE(sync_preserving_races(graph).cut);
  EXPECT_TRUE(sync_preserving_races(graph, 64, 1).cut);
}

}  // namespace
}  // namespace snarl::detect
