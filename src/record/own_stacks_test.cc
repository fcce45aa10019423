#include "record/own_stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace snarl::record {
namespace {

using Told = std::array<OwnStacks, kMostOwnStacks>;

OwnStacks own(uint64_t size, uint32_t threads, uint64_t guard = 4096, uint32_t at_once = 0) {
  return {.size = size, .guard_size = guard, .at_once = at_once, .threads = threads};
}

Told told_by(const OwnStackTable& table) {
  Told told;
  table.tell(told);
  return told;
}

TEST(OwnStackTable, TellsThoseOfMostThreads) {
  OwnStackTable table;
  EXPECT_EQ(told_by(table), Told());
  table.learn(Told{own(1 << 16, 3), own(1 << 15, 7), own(0, 0)});
  table.learn(Told{own(1 << 16, 2), own(1 << 17, 1), own(1 << 18, 1)});
  EXPECT_EQ(told_by(table), (Told{own(1 << 15, 7), own(1 << 16, 3), own(1 << 17, 1)}));
  table.learn(Told{own(1 << 18, 2)});
  EXPECT_EQ(told_by(table), (Told{own(1 << 15, 7), own(1 << 16, 3), own(1 << 18, 2)}));
}

TEST(OwnStackTable, FewAtOnceAreNotTold) {
  OwnStackTable table;
  table.learn(Told{own(1 << 15, 100, 4096, kFewAtOnce), own(1 << 16, 90, 4096, kFewAtOnce + 1)});
  table.learn(Told{own(1 << 15, 80, 4096, 1)});
  EXPECT_EQ(told_by(table), (Told{own(1 << 15, 100), own(1 << 16, 90, 4096, kFewAtOnce + 1)}));
}

TEST(OwnStackTable, AnotherGuardIsAnotherStack) {
  OwnStackTable table;
  table.learn(Told{own(1 << 16, 3), own(1 << 16, 3, 0)});
  EXPECT_EQ(told_by(table), (Told{own(1 << 16, 3, 0), own(1 << 16, 3)}));
}

// Workers finish in any order; the profile must not depend on that.
TEST(OwnStackTable, TheOrderOfRunsDoesNotMatter) {
  std::array<OwnStacks, 4> all{own(1 << 14, 5), own(1 << 15, 5), own(1 << 16, 5), own(1 << 17, 9)};
  OwnStackTable first;
  first.learn(all);
  do {
    OwnStackTable table;
    for (const OwnStacks& one : all) table.learn({&one, 1});
    EXPECT_EQ(told_by(table), told_by(first));
  } while (std::ranges::next_permutation(all, {}, [](const OwnStacks& o) { return o.size; }).found);
  EXPECT_EQ(told_by(first)[0], own(1 << 17, 9));
}

}  // namespace
}  // namespace snarl::record
