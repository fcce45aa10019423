// The classification finds what was put in: a program that fails by a known rule of its subset.
#include "explore/campaign/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "explore/target/policy_spec.h"
#include "policy/noise_separating.h"

namespace snarl::explore {
namespace {

using testing::HasSubstr;

constexpr uint64_t kSeed = 77;

// Offsets in no file: the text of a place is then its address.
record::GroupTable some_groups(uint64_t count) {
  record::GroupTable table;
  for (uint64_t i = 1; i <= count; ++i) table.learn({{mix64(i), GroupBy::kPlace, {"", "", i}, {}}});
  return table;
}

// Fails with 0.4 if group 1 makes noise, group 2 doesn't and nothing else matters; with 0.02 otherwise.
SubsetRuns pretended_runs(uint64_t count) {
  SubsetRuns runs{.policy = *parse_policy("noise-separating:make=switch"), .seed = kSeed, .runs = count};
  Rng rng(3);
  for (uint64_t index = 0; index < count; ++index) {
    Run run;
    run.key.seed = kSeed;
    run.key.turn = index;
    const policy::Subset subset = policy::NoiseSeparating::half(run);
    const bool likely = subset.has(mix64(1)) && !subset.has(mix64(2));
    if (rng.below(100) < (likely ? 40 : 2)) runs.failing.insert(index);
  }
  return runs;
}

TEST(Classify, TellsGoodFromBadFromNeutral) {
  explain::GroupText text("");
  const report::Classification c = classify(pretended_runs(2000), some_groups(12), text);
  ASSERT_EQ(c.groups.size(), 12u);
  EXPECT_EQ(c.group, "place");
  EXPECT_EQ(c.groups[0].text, "0x1");
  EXPECT_EQ(c.groups[0].kind(), report::GroupClass::kGood);
  EXPECT_EQ(c.groups[1].text, "0x2");
  EXPECT_EQ(c.groups[1].kind(), report::GroupClass::kBad);
  for (size_t i = 2; i < c.groups.size(); ++i)
    EXPECT_EQ(c.groups[i].kind(), report::GroupClass::kNeutral) << c.groups[i].text;
}

// Every group is in the subset in exactly half of the runs, whatever their number is.
TEST(Classify, HalvesAreHalves) {
  explain::GroupText text("");
  for (const report::ClassifiedGroup& group : classify(pretended_runs(1000), some_groups(30), text).groups) {
    EXPECT_EQ(group.with.schedules, 500u);
    EXPECT_EQ(group.without.schedules, 500u);
  }
}

TEST(Classify, RunsThatAreMissingDoNotCount) {
  SubsetRuns runs = pretended_runs(100);
  runs.missing = {5, 7};
  explain::GroupText text("");
  const report::Classification c = classify(runs, some_groups(3), text);
  EXPECT_EQ(c.schedules, 98u);
  EXPECT_EQ(c.groups[0].with.schedules + c.groups[0].without.schedules, 98u);
}

TEST(Classify, OnlyRandomSubsetsClassify) {
  EXPECT_TRUE(check_classifies(*parse_policy("noise-separating:group=variable")));
  for (const char* policy : {"random", "noise-separating:family=exact", "noise-random", "pct"}) {
    const Status checked = check_classifies(*parse_policy(policy));
    ASSERT_FALSE(checked) << policy;
    EXPECT_EQ(checked.error().exit_code, 2);
    EXPECT_THAT(checked.error().hint, HasSubstr("family=random"));
  }
}

TEST(Classify, TextAndJson) {
  explain::GroupText text("");
  const report::Classification c = classify(pretended_runs(2000), some_groups(3), text);
  const std::string table = report::classification_text(c);
  EXPECT_THAT(table, HasSubstr("1 good, 1 bad, 1 neutral"));
  EXPECT_THAT(table, HasSubstr("  good  "));
  const std::string json = report::classification_json(c);
  EXPECT_THAT(json, HasSubstr("snarl.classification/2"));
  EXPECT_THAT(json, HasSubstr("\"class\": \"bad\""));
  EXPECT_THAT(json, HasSubstr("\"place\": \"0x2\""));
  EXPECT_THAT(report::classification_text(
                  {.policy = "p", .group = "place", .seed = 1, .schedules = 5, .failing = 0, .groups = {}}),
              HasSubstr("0 of 5 schedules failed"));
}

}  // namespace
}  // namespace snarl::explore
