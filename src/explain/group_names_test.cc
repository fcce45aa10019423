#include "explain/group_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::explain {
namespace {

using testing::HasSubstr;

// Without symbols a variable is its file and offset, and those on the heap have a number.
TEST(GroupNames, UnknownNamesComeWithTheNearest) {
  std::map<uint64_t, record::EventGroup> groups;
  for (uint64_t i = 1; i <= 20; ++i) groups[i] = {i, GroupBy::kVariable, {"/nowhere/bank", "", 0x100 * i}, {}};
  groups[0xabcd'0000'0000] = {0xabcd'0000'0000, GroupBy::kVariable, {"", "", 0x7f0000}, {}};
  const Expected<record::GroupNames> found = groups_named("bank+0x300", groups);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, record::GroupNames{3});
  EXPECT_EQ(*groups_named("object 0000abcd", groups), record::GroupNames{0xabcd'0000'0000});
  const Expected<record::GroupNames> wrong = groups_named("bank+0x3001", groups);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().exit_code, 2);
  EXPECT_THAT(wrong.error().hint, HasSubstr("did you mean bank+0x300"));
  EXPECT_THAT(wrong.error().hint, HasSubstr("and 9 more"));
  EXPECT_THAT(groups_named("x", {}).error().hint, HasSubstr("met no variable"));
}

}  // namespace
}  // namespace snarl::explain
