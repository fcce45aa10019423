#include "record/count_tables.h"

#include <gtest/gtest.h>

#include <memory>

#include "record/wire_memory.h"

namespace snarl::record {
namespace {

bool same(const CountTables& a, const CountTables& b) {
  const auto thread = [](const ThreadCount& x, const ThreadCount& y) {
    return x.name == y.name && x.parent == y.parent && x.events == y.events;
  };
  const auto object = [](const ObjectCount& x, const ObjectCount& y) {
    return x.thread == y.thread && x.object == y.object && x.events == y.events;
  };
  return std::equal(a.threads.begin(), a.threads.end(), b.threads.begin(), b.threads.end(), thread) &&
         std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(), object);
}

TEST(CountTables, MergingKeepsTheLargerInAnyOrder) {
  const CountTables runs[] = {{{{1, 0, 5}, {2, 1, 9}}, {{1, 70, 3}, {2, 60, 1}}},
                              {{{2, 1, 7}, {3, 1, 1}}, {{1, 70, 4}}},
                              {{{1, 0, 6}}, {{2, 60, 2}, {1, 60, 8}}}};
  CountTables forward, backward;
  for (int i = 0; i < 3; ++i) forward.merge(runs[i]), backward.merge(runs[2 - i]);
  EXPECT_TRUE(same(forward, backward));
  const CountTables expected = {{{1, 0, 6}, {2, 1, 9}, {3, 1, 1}}, {{1, 60, 8}, {2, 60, 2}, {1, 70, 4}}};
  EXPECT_TRUE(same(forward, expected));
}

TEST(CountTables, GoThroughTheWireWhateverStandsThere) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  EXPECT_TRUE(read_counts(layout).threads.empty());
  layout.counted_threads[17] = {5, 0, 3};
  layout.counted_threads[4095] = {4, 5, ~uint64_t{0}};  // a scribble
  layout.counted_objects[0] = {5, 99, 2};
  const CountTables counts = read_counts(layout);
  ASSERT_EQ(counts.threads.size(), 2u);
  EXPECT_EQ(counts.threads[0].name, 4u);
  EXPECT_LT(counts.threads[0].events, uint64_t{1} << 41);
  write_counts(counts, layout);
  EXPECT_EQ(layout.command.thread_counts, 2u);
  EXPECT_EQ(layout.command.object_counts, 1u);
  EXPECT_EQ(layout.object_counts[0].object, 99u);
  write_counts({}, layout);
  EXPECT_EQ(layout.command.thread_counts, 0u);
}

}  // namespace
}  // namespace snarl::record
