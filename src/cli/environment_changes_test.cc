#include "cli/environment_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::cli {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(EnvironmentChanges, LeadFromOneEnvironmentToAnother) {
  const std::vector<std::string> ours = {"A=1", "B=2", "C=", "D=x=y"}, theirs = {"A=1", "C=3", "E=", "D=x=y"};
  EXPECT_THAT(changes_between(ours, ours), IsEmpty());
  EXPECT_THAT(changes_between(ours, theirs), UnorderedElementsAre("B", "C=3", "E="));
  EXPECT_THAT(changed(ours, changes_between(ours, theirs)), UnorderedElementsAre("A=1", "C=3", "E=", "D=x=y"));
  EXPECT_THAT(changed({}, {"A=1", "B"}), UnorderedElementsAre("A=1"));
}

}  // namespace
}  // namespace snarl::cli
