#include "report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/text/finding.h"
#include "report/text/golden_findings.h"
#include "report/text/policy_table.h"

namespace snarl::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SummaryJson, RoundTripIsExact) {
  for (const Summary& s : {nothing_found(), two_findings(), Summary()}) {
    const auto read = summary_from_json(to_json(s));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), to_json(s));
  }
}

TEST(SummaryJson, DepthIsNullUntilKnown) {
  const nlohmann::json j = to_json(two_findings());
  EXPECT_TRUE(j["findings"][0]["depth"].is_null());
  EXPECT_EQ(j["findings"][1]["depth"], 2);
}

TEST(SummaryJson, HasWhatTheInterfacePromises) {
  const nlohmann::json j = to_json(nothing_found());
  for (const char* key :
       {"schedules", "failing_schedules", "seconds", "cpu_seconds", "switching", "reset", "policy", "points", "threads",
        "steps", "bound", "time", "distinct_schedules", "orders", "repeatable", "unconfirmed", "findings"})
    EXPECT_TRUE(j.contains(key)) << key;
}

TEST(SummaryText, SaysWhatNothingMeans) {
  Summary s = nothing_found();
  s.bound = {{"pct:depth=2", 2, 3, 41, 430, 0.9719}};
  const std::string text = summary_text(s, {.width = 160});
  EXPECT_THAT(
      text,
      HasSubstr("a bug of depth 2 that shows within 41 steps of at most 3 threads, without a time-out, would have been "
                "found with probability >= 0.97 (430 runs)"));
  EXPECT_THAT(text, HasSubstr("memory points off: races on plain variables between two points can't be seen"));
  s.atomic_sites = {.found = 2, .patched = 2};
  const std::string of_atomics = summary_text(s, {.width = 160});
  EXPECT_THAT(of_atomics, HasSubstr("races on plain variables, atomic loads and stores between"));
  EXPECT_THAT(of_atomics, HasSubstr("atomic points: 2 of 2 sites; atomic loads and plain stores are not among them"));
  EXPECT_THAT(of_atomics, HasSubstr("weak memory"));
  EXPECT_THAT(text, HasSubstr("replay determinism 20 of 20"));
}

TEST(SummaryText, SaysHowManyOrdersThereWereAndAreLeft) {
  Summary s = nothing_found();
  EXPECT_THAT(summary_text(s), HasSubstr("  812 partial orders, and at least 45 left by estimate\n"));
  s.orders = {2'500, 1, 0, 19'000};
  EXPECT_THAT(summary_text(s), HasSubstr("  1 partial order in 2,500 of the schedules, no new one in the last 19,000"));
  s.orders.quiet = 999;
  EXPECT_THAT(summary_text(s), HasSubstr("  1 partial order in 2,500 of the schedules\n"));
  s.orders = {};
  EXPECT_THAT(summary_text(s), Not(HasSubstr("partial order")));
}

TEST(SummaryText, OfSeveralBoundsTheBestCounts) {
  Summary s = nothing_found();
  s.bound = {{"a", 2, 3, 41, 10, 0.5}, {"b", 2, 3, 41, 20, 0.75}};
  EXPECT_THAT(summary_text(s), HasSubstr(">= 0.75"));
  EXPECT_THAT(summary_text(s), Not(HasSubstr(">= 0.5 ")));
}

TEST(SummaryText, FindingsElsewhereAreReplayedByFolder) {
  Summary s = two_findings();
  EXPECT_THAT(summary_text(s), HasSubstr("snarl replay 0001"));
  s.output = "out";
  s.findings[0].folder = "out/findings/0001-deadlock-9c41e0";
  EXPECT_THAT(summary_text(s), HasSubstr("snarl replay out/findings/0001-deadlock-9c41e0"));
}

TEST(SummaryText, PartsOfTheLastLineStayWhole) {
  Summary s = nothing_found();
  s.time = "free";
  EXPECT_THAT(summary_text(s, {.width = 200}),
              HasSubstr("one core), reset fork (the default: a fork server at main), time free, seed"));
  EXPECT_THAT(summary_text(s, {.width = 70}),
              HasSubstr("one core),\n    reset fork (the default: a fork server at main), time free,\n    seed"));
  s.reset.why.assign(300, 'x');
  s.reset.why += " y";
  EXPECT_THAT(summary_text(s), HasSubstr("xxx\n    y), time free, seed"));
}

TEST(SummaryText, WithoutAGuaranteeItSaysSo) {
  Summary s = nothing_found();
  s.bound.clear();
  EXPECT_THAT(summary_text(s), HasSubstr("no bound"));
}

TEST(SummaryText, ABoundSaysWhatItsRunsMet) {
  Summary s = nothing_found();
  s.bound = {{"pct:depth=2", 2, 3, 41, 400, 0.9719, 100, 0, 20, 0}};
  EXPECT_THAT(summary_text(s, {.width = 300}), HasSubstr("without a time-out, would"));
  EXPECT_THAT(summary_text(s, {.width = 300}), HasSubstr("(400 runs; 25.00 % met a time-out)"));
  s.bound = {{"pct:depth=2", 2, 3, 41, 400, 0.9719, 0, 4, 0, 2}};
  EXPECT_THAT(summary_text(s, {.width = 300}),
              HasSubstr("without a time-out, a thread passed over or the watchdog, would"));
  EXPECT_THAT(summary_text(s, {.width = 300}),
              HasSubstr("(400 runs; 1.00 % passed a thread over; 0.50 % met the watchdog)"));
}

TEST(SummaryText, NoBoundWhereARunMayHaveHiddenABug) {
  Summary s = nothing_found();
  s.bound.clear();
  s.failing_schedules = 1;
  s.unconfirmed = 1;
  EXPECT_THAT(summary_text(s), HasSubstr("no bound: a run that failed may have hidden another bug"));
}

TEST(SummaryText, ABoundOfZeroIsNone) {
  Summary s = nothing_found();
  s.bound = {{"pct:depth=2", 2, 3, 41, 10, 0}};
  EXPECT_THAT(summary_text(s), HasSubstr("no bound: with this fairness"));
  EXPECT_THAT(summary_text(s), Not(HasSubstr("probability")));
}

// The default policies take turns: the first few schedules are all of those that have no bound.
TEST(SummaryText, NoBoundWithoutARunOfThePolicyThatHasOne) {
  Summary s = nothing_found();
  s.bound = {{.policy = "pct:depth=3", .depth = 3}};
  EXPECT_THAT(summary_text(s), HasSubstr("no bound: no schedule was one of pct:depth=3"));
  EXPECT_THAT(summary_text(s), Not(HasSubstr("fairness")));
}

TEST(PolicyTable, Percentages) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(0.99999), "99.99 %");  // never 100 when it isn't
  EXPECT_EQ(percent_text(0.0014), "0.14 %");
  EXPECT_EQ(percent_text(3.1e-7), "3.1e-05 %");
}

TEST(SummaryText, WithoutAScheduleThereIsNothingToSayOfTheBound) {
  Summary s = nothing_found();
  s.schedules = 0;
  s.bound = {{"pct:depth=2", 2, 3, 41, 0, 0}};
  EXPECT_THAT(summary_text(s), HasSubstr("no bound: no schedule came to its end"));
  EXPECT_THAT(summary_text(s), Not(HasSubstr("fairness")));
}

TEST(PolicyTable, IsPrintedIfNothingWasFoundToo) {
  Summary s = nothing_found();
  EXPECT_THAT(summary_text(s), Not(HasSubstr("hit rate")));
  s.keep_going = true;
  EXPECT_THAT(summary_text(s), HasSubstr("hit rate"));
}

TEST(PolicyTable, IsPrintedWhenARunWentOnAfterAFinding) {
  Summary s = two_findings();
  EXPECT_THAT(summary_text(s), HasSubstr("\n  random          10,000      200    2.00 %  1.73 % to 2.29 %"));
  EXPECT_THAT(summary_text(s), HasSubstr("found by random 200, pct:depth=3 10\n"));
  s.keep_going = false;
  EXPECT_THAT(summary_text(s), Not(HasSubstr("hit rate")));
  EXPECT_THAT(summary_text(s), HasSubstr("policies, in turn: random, pct:depth=3\n"));
}

TEST(SummaryJson, OlderFilesHaveNoHitRates) {
  nlohmann::json j = to_json(two_findings());
  for (const char* key : {"hit_rate", "hit_rate_low", "hit_rate_high", "first_after"}) j["policy"][0].erase(key);
  j["findings"][0].erase("found_by");
  j.erase("keep_going");
  const auto read = summary_from_json(j);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->policy[0].failing_schedules, 200u);
  EXPECT_FALSE(read->policy[0].first_after);
}

TEST(SummaryText, TextsOfTheProgramAreCleaned) {
  Summary s = two_findings();
  s.findings[0].summary = "deadlock \x1b[2J";
  s.reset.why = "\x1b]0;x\x07";
  EXPECT_EQ(summary_text(s).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace snarl::report
