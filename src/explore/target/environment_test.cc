#include "explore/target/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::explore {
namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string> with(std::vector<std::string> user, std::vector<std::string> needed = {}) {
  Target target;
  target.needed = std::move(needed);
  return with_preload(user, "/lib/libsnarl_rt.so", target);
}

TEST(Environment, PutsTheRuntimeFirst) {
  EXPECT_THAT(with({"A=b"}), testing::ElementsAre("A=b", "LD_PRELOAD=/lib/libsnarl_rt.so"));
  EXPECT_THAT(with({"LD_PRELOAD=x.so y.so"}), Contains("LD_PRELOAD=/lib/libsnarl_rt.so:x.so:y.so"));
  EXPECT_THAT(with({"LD_PRELOAD="}), Contains("LD_PRELOAD=/lib/libsnarl_rt.so"));
}

TEST(Environment, ButNotBeforeASanitizer) {
  EXPECT_THAT(with({}, {"libasan.so.8", "libc.so.6"}), Contains("LD_PRELOAD=libasan.so.8:/lib/libsnarl_rt.so"));
  EXPECT_THAT(with({"LD_PRELOAD=x.so:/usr/lib/libasan.so.8"}, {"libasan.so.8"}),
              Contains("LD_PRELOAD=/usr/lib/libasan.so.8:/lib/libsnarl_rt.so:x.so"));
}

TEST(Environment, LooksForNoLeaksUnlessAskedTo) {
  Target target;
  const auto with = [&target](std::vector<std::string> user) { return with_preload(user, "rt.so", target); };
  EXPECT_THAT(with({"ASAN_OPTIONS=x=1"}), Contains("ASAN_OPTIONS=x=1"));
  target.has_asan = true;
  EXPECT_THAT(with({}), Contains("ASAN_OPTIONS=detect_leaks=0"));
  EXPECT_THAT(with({"ASAN_OPTIONS=x=1"}), Contains("ASAN_OPTIONS=x=1:detect_leaks=0"));
  EXPECT_THAT(with({"ASAN_OPTIONS=detect_leaks=1"}), Contains("ASAN_OPTIONS=detect_leaks=1"));
}

TEST(Environment, PassesNoWireOfOthersOn) {
  EXPECT_THAT(with({"SNARL_WIRE=3,4"}), Not(Contains("SNARL_WIRE=3,4")));
  EXPECT_EQ(wire_variable(100, -1), "SNARL_WIRE=100,-1");
}

}  // namespace
}  // namespace snarl::explore
