#include "record/event_groups.h"

#include <gtest/gtest.h>

#include <memory>

namespace snarl::record {
namespace {

TEST(EventGroups, AreReadOncePerWorkerAndNothingIsTrusted) {
  const auto layout = std::make_unique<wire::Layout>();
  layout->state.modules = 1;
  layout->modules[0].begin = 0x1000;
  layout->modules[0].end = 0x2000;
  layout->modules[0].bias = 0x1000;
  std::string("/bin/x").copy(layout->modules[0].path, 6);
  layout->met_groups[0] = {.name = 7, .address = 0x1010, .callers = {0x1020, 0x1030}, .by = GroupBy::kContext};
  layout->met_groups[1] = {.name = 7, .address = 0x9999, .by = GroupBy::kVariable};
  layout->met_groups[2] = {.name = 8, .address = 0, .by = static_cast<GroupBy>(200)};
  layout->state.met_groups = 3;
  std::set<std::pair<GroupBy, uint64_t>> known;
  const std::vector<EventGroup> groups = read_groups(*layout, known);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].address.path, "/bin/x");
  EXPECT_EQ(groups[0].address.offset, 0x10u);
  ASSERT_EQ(groups[0].callers.size(), 2u);
  EXPECT_EQ(groups[0].callers[1].offset, 0x30u);
  EXPECT_EQ(groups[1].address.path, "");
  EXPECT_TRUE(read_groups(*layout, known).empty());
  layout->state.met_groups = ~0u;
  EXPECT_TRUE(read_groups(*layout, known).size() <= 1) << "zeroes beyond are one group without a name, at most";
}

TEST(EventGroups, WhatDoesNotFitIsLeftOut) {
  const auto layout = std::make_unique<wire::Layout>();
  GroupNames many(wire::kMaxGroups + 5);
  for (size_t i = 0; i < many.size(); ++i) many[i] = i;
  write_groups(many, *layout);
  EXPECT_EQ(layout->command.groups, wire::kMaxGroups);
  EXPECT_EQ(layout->groups[wire::kMaxGroups - 1], wire::kMaxGroups - 1);
  write_groups({3}, *layout);
  EXPECT_EQ(layout->command.groups, 1u);
}

TEST(EventGroups, AreTakenInOrderOfTheirNames) {
  GroupTable table;
  table.learn({{9, GroupBy::kPlace, {}, {}}, {3, GroupBy::kPlace, {}, {}}, {5, GroupBy::kVariable, {}, {}}});
  table.learn({{4, GroupBy::kPlace, {}, {}}, {9, GroupBy::kPlace, {}, {}}});
  EXPECT_EQ(*table.names(GroupBy::kPlace), (GroupNames{3, 4, 9}));
  EXPECT_EQ(*table.names(GroupBy::kVariable), GroupNames{5});
  EXPECT_TRUE(table.names(GroupBy::kContext)->empty());
}

}  // namespace
}  // namespace snarl::record
