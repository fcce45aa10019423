#include "explore/target/policy_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/nearest.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

using testing::HasSubstr;

TEST(PolicySpec, RoundTrips) {
  for (const char* text : {"random", "pct:depth=1", "pct:depth=16"}) {
    const Expected<PolicySpec> spec = parse_policy(text);
    ASSERT_TRUE(spec) << text;
    EXPECT_EQ(to_string(*spec), text);
  }
}

TEST(PolicySpec, FillsInDefaults) {
  const Expected<PolicySpec> spec = parse_policy("pct");
  ASSERT_TRUE(spec);
  EXPECT_EQ(parameter(*spec, "depth", 0), 3);
  EXPECT_EQ(policy_name(*spec), "pct");
}

void expect_error(const char* text, const char* message, const char* hint) {
  const Expected<PolicySpec> spec = parse_policy(text);
  ASSERT_FALSE(spec) << text;
  EXPECT_EQ(spec.error().exit_code, 2);
  EXPECT_THAT(spec.error().message, HasSubstr(message));
  EXPECT_THAT(spec.error().hint, HasSubstr(hint));
}

TEST(PolicySpec, ErrorsSayWhereAndWhatWasExpected) {
  expect_error("ptc", "character 1", "did you mean pct");
  expect_error("", "character 1", "expected one of");
  expect_error("follow", "no policy is named", "expected one of");
  expect_error("pct:dept=3", "character 5", "did you mean depth");
  expect_error("pct:depth", "has no value", "depth=VALUE");
  expect_error("pct:depth=", "character 11", "from 1 to 16");
  expect_error("pct:depth=99", "character 11", "from 1 to 16");
  expect_error("pct:depth=2.5", "character 11", "whole number");
  expect_error("pct:depth=2x", "character 11", "whole number");
  expect_error("pct:depth=nan", "character 11", "whole number");
  expect_error("pct:", "no parameter", "depth");
  expect_error("pct:depth=2,", "character 13", "depth");
  expect_error("random:x=1", "character 8", "no parameters");
}

TEST(PolicySpec, WordsAndTexts) {
  const char* text = "noise-separating:strength=0.5,make=switch,sleep=2,group=variable,family=exact,k=1";
  const Expected<PolicySpec> spec = parse_policy(text);
  ASSERT_TRUE(spec);
  EXPECT_EQ(to_string(*spec), text);
  EXPECT_FALSE(is_parallel(*spec));
  EXPECT_TRUE(is_parallel(*parse_policy("noise-separating")));
  expect_error("noise-best:make=swich", "character 17", "make is one of: yield, sleep, switch");
  expect_error("noise-best:group=2", "\"2\" is not a value of group", "place, context, variable");
  expect_error("noise-best:strength=1.1", "character 21", "from 0 to 1");
  expect_error("noise-white:pick=1", "no parameter", "strength, make, sleep");

  const Expected<PolicySpec> named = parse_policy("noise-contention:make=switch,variable=map<int,int>::x,c=1");
  ASSERT_TRUE(named);
  EXPECT_STREQ(named->file, "map<int,int>::x,c=1");
  EXPECT_EQ(to_string(*named), "noise-contention:strength=0.9,make=switch,variable=map<int,int>::x,c=1");
  EXPECT_STREQ(parse_policy("noise-contention:variable=a/b")->file, "a/b");
  expect_error("noise-contention:variable=", "variable has no value", "variable=NAME");
  expect_error("noise-contention:variable", "variable has no value", "variable=");
}

TEST(PolicySpec, ListsAreCheckedAsTheyAreRead) {
  const char* text = "speed:events=function,mode=serial,vector=1,0.5@40:0.25,1";
  const Expected<PolicySpec> spec = parse_policy(text);
  ASSERT_TRUE(spec);
  EXPECT_EQ(to_string(*spec), text);
  EXPECT_STREQ(spec->file, "1,0.5@40:0.25,1");
  EXPECT_EQ(to_string(*parse_policy("speed:basis=0,3")), "speed:events=point,mode=serial,basis=0,3");
  EXPECT_EQ(to_string(*parse_policy("speed")), "speed:events=point,mode=serial");
  EXPECT_FALSE(is_parallel(*parse_policy("speed")));
  EXPECT_TRUE(is_parallel(*parse_policy("speed:mode=parallel,vector=1")));
  expect_error("speed:vector=1,2", "\"1,2\" is not a value of vector", "vector=S,S");
  expect_error("speed:basis=0", "\"0\" is not a value of basis", "basis=auto");
  expect_error("speed:vector=", "vector has no value", "vector=S,S");
  expect_error("speed:vektor=1", "no parameter", "did you mean vector");
}

TEST(PolicySpec, FilesOfPluginsAndDirectives) {
  const Expected<PolicySpec> values = parse_policy("a:b/my_policy.so:1,2.5,-3");
  ASSERT_TRUE(values);
  EXPECT_EQ(policy_name(*values), "plugin");
  EXPECT_EQ(values->given, 3u);
  EXPECT_EQ(values->values[1], 2.5);
  EXPECT_EQ(to_string(*values), "a:b/my_policy.so:1,2.5,-3");
  EXPECT_EQ(to_string(*parse_policy("./my_policy.so")), "./my_policy.so");
  EXPECT_EQ(to_string(*parse_policy("obey:directive=some/where")), "obey:directive=some/where");
  expect_error("./my:policy.so:1", "not a number", "numbers");
  expect_error("./p.so:x", "character 8", "numbers");
  expect_error("./p.so:1,2,3,4,5,6,7,8,9", "more than 8", "");
  expect_error("obey", "needs a file", "obey:directive=FILE");
  expect_error("obey:directve=x", "no parameter", "did you mean directive");
  expect_error(("./" + std::string(300, 'p')).c_str(), "too long", "at most 255");
  expect_error("plugin", "no policy is named", "expected one of");
}

TEST(PolicySpec, EveryPolicyIsReadAsItIsWritten) {
  for (const policy::PolicyInfo& info : policy::policy_catalog()) {
    if (!info.for_users) continue;
    PolicySpec written = policy::trial_spec(info);
    if (info.file != nullptr) {
      ASSERT_TRUE(set_policy_file(written, "some/file"));
    }
    const Expected<PolicySpec> read = parse_policy(to_string(written));
    ASSERT_TRUE(read) << to_string(written) << ": " << read.error().message;
    EXPECT_EQ(to_string(*read), to_string(written));
    EXPECT_EQ(read->policy, written.policy);
    for (size_t i = 0; i < info.params.size(); ++i) EXPECT_EQ(read->values[i], written.values[i]) << info.name;
  }
}

TEST(Nearest, CountsSwapsOnce) {
  EXPECT_EQ(edit_distance("pct", "ptc"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(nearest("rnadom", {"pct", "random"}), "random");
  EXPECT_EQ(nearest("completely else", {"pct", "random"}), "");
}

}  // namespace
}  // namespace snarl::explore
