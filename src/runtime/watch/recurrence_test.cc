#include "runtime/watch/recurrence.h"

#include <gtest/gtest.h>

namespace snarl::runtime {
namespace {

uint64_t same_memory() { return 7; }

// Stopped so many times, in states that `registers` gives: does it recur at the end?
template <typename Registers>
bool recurs_after(int stops, Registers&& registers) {
  Recurrence thread;
  for (int i = 0; i < stops; ++i) thread.note(registers(i), same_memory);
  return thread.recurs();
}

TEST(Recurrence, NeedsOneStateThreeTimes) {
  const auto same = [](int) { return uint64_t{5}; };
  EXPECT_FALSE(recurs_after(2, same));
  EXPECT_TRUE(recurs_after(3, same));
}

TEST(Recurrence, FindsALoopOfSeveralStatesAfterOthers) {
  const auto loop = [](int i) { return i < 20 ? static_cast<uint64_t>(1000 + i) : static_cast<uint64_t>(1 + i % 7); };
  EXPECT_FALSE(recurs_after(20, loop));
  bool found = false;
  for (int stops = 21; stops < 100; ++stops) found |= recurs_after(stops, loop);
  EXPECT_TRUE(found);
}

TEST(Recurrence, NeverInALoopThatCounts) {
  EXPECT_FALSE(recurs_after(1000, [](int i) { return static_cast<uint64_t>(i) + 1; }));
}

TEST(Recurrence, NotWhileMemoryChanges) {
  Recurrence thread;
  uint64_t memory = 0;
  for (int i = 0; i < 100; ++i) {
    thread.note(5, [&memory] { return ++memory; });
    EXPECT_FALSE(thread.recurs());
  }
}

TEST(Recurrence, NotIfMemoryCannotBeTold) {
  Recurrence thread;
  for (int i = 0; i < 100; ++i) thread.note(5, [] { return uint64_t{0}; });
  EXPECT_FALSE(thread.recurs());
}

}  // namespace
}  // namespace snarl::runtime
