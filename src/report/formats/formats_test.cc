#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/formats/annotations.h"
#include "report/formats/fingerprint.h"
#include "report/formats/junit.h"
#include "report/formats/markdown.h"
#include "report/formats/sarif.h"
#include "report/formats/source_uri.h"
#include "report/formats/trace_events.h"
#include "report/formats/xml_text.h"
#include "report/text/golden_findings.h"

namespace snarl::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const SourceRoot kRoot{"/home/ann", "/home/ann/build"};

class Formats : public testing::Test {
 protected:
  Results results() const { return {summary_, findings_, ending_, kRoot}; }
  json sarif() const { return json::parse(sarif_text(results())); }
  json first_run() const { return sarif()["runs"][0]; }

  Summary summary_ = nothing_found();
  std::vector<Finding> findings_;
  Ending ending_;
};

TEST_F(Formats, PathsAreRelativeToTheRootOrWhole) {
  EXPECT_EQ(source_path({.path = "/home/ann/src/a.cc"}, kRoot).path, "src/a.cc");
  EXPECT_EQ(source_path({.file = "b.cc"}, kRoot).path, "build/b.cc");
  EXPECT_EQ(source_path({.path = "x/../y/c.cc"}, kRoot).path, "y/c.cc");
  EXPECT_FALSE(source_path({.path = "/home/anna/a.cc"}, kRoot).in_root);
  EXPECT_FALSE(source_path({.function = "f"}, kRoot).known());
  EXPECT_EQ(uri_of("/usr/a b%.h"), "file:///usr/a%20b%25.h");
}

TEST_F(Formats, OneThreadFlowForEachThreadAndOneOrderForAll) {
  findings_ = {deadlock_of_two()};
  ending_.exit_code = 1;
  const json result = first_run()["results"][0];
  const json flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 3u);
  std::vector<int> order;
  for (const json& flow : flows)
    for (const json& at : flow["locations"]) order.push_back(at["executionOrder"]);
  std::ranges::sort(order);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i + 1));
  EXPECT_EQ(order.size(), findings_[0].rows.size());
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bank.cc");
  EXPECT_EQ(result["ruleId"], first_run()["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"]);
}

TEST_F(Formats, EveryKindIsARule) {
  findings_ = {deadlock_of_two(), stolen_lock()};
  const json run = first_run();
  EXPECT_EQ(run["tool"]["driver"]["rules"][run["results"][1]["ruleIndex"].get<size_t>()]["id"], "unlock_not_owner");
  EXPECT_THAT(junit_text(results()), HasSubstr("type=\"unlock_not_owner\""));
}

TEST_F(Formats, AFingerprintSurvivesEditsAndRebuilds) {
  const Finding before = deadlock_of_two();
  Finding after = before;
  after.signature = "deadlock lock bank+0x9999";
  after.place.line += 10;
  for (FindingThread& t : after.threads) t.place.line += 10, t.place.offset += 64;
  after.key.seed = 99;
  after.objects[0].name = "Q";
  EXPECT_EQ(fingerprint(after), fingerprint(before));
  after.place.function = "withdraw";
  EXPECT_NE(fingerprint(after), fingerprint(before));
  EXPECT_NE(fingerprint(failed_assertion()), fingerprint(before));
}

TEST_F(Formats, TwoThatLookAlikeAreTwo) {
  findings_ = {deadlock_of_two(), deadlock_of_two()};
  const json all = first_run()["results"];
  EXPECT_NE(all[0]["partialFingerprints"], all[1]["partialFingerprints"]);
}

TEST_F(Formats, NothingFoundPasses) {
  EXPECT_TRUE(first_run()["results"].empty());
  EXPECT_TRUE(first_run()["invocations"][0]["executionSuccessful"]);
  EXPECT_THAT(junit_text(results()), HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\""));
  EXPECT_EQ(annotations_text(results()), "");
  EXPECT_THAT(markdown_text(results()), HasSubstr("nothing found"));
}

// What was not tested is never green.
TEST_F(Formats, NoVerdictIsAnError) {
  ending_ = {.tested = false, .exit_code = 4, .problem = Error{"one thread", "start some"}};
  EXPECT_FALSE(first_run()["invocations"][0]["executionSuccessful"]);
  EXPECT_THAT(junit_text(results()), HasSubstr("errors=\"1\""));
  EXPECT_THAT(junit_text(results()), HasSubstr("one thread; start some"));
  EXPECT_THAT(annotations_text(results()), HasSubstr("::error title=snarl%3A no verdict::one thread"));
  ending_ = {.exit_code = 130};
  EXPECT_THAT(junit_text(results()), HasSubstr("<error"));
}

TEST_F(Formats, WhatRanOnceAsItIsIsSkipped) {
  ending_ = {.tested = false, .exit_code = 0, .problem = Error{"one thread"}};
  EXPECT_THAT(junit_text(results()), HasSubstr("skipped=\"1\""));
  EXPECT_EQ(annotations_text(results()), "");
}

TEST_F(Formats, LinesOfTheProgramAreNoCommands) {
  Finding f = deadlock_of_two();
  f.message = "50%\n::error::gotcha\r";
  f.place.path = "/home/ann/a,b:c.cc";
  findings_ = {f};
  const std::string text = annotations_text(results());
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_THAT(text, HasSubstr("50%25%0A::error::gotcha\\x0d"));
  EXPECT_THAT(text, HasSubstr("file=a%2Cb%3Ac.cc,line=22"));
}

TEST_F(Formats, XmlSaysOnlyWhatXmlCan) {
  EXPECT_EQ(xml_text("]]>&\"<\x01\xef\xbf\xbf\xff"), "]]&gt;&amp;&quot;&lt;\\x01\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(xml_attribute("a\nb"), "a&#10;b");
}

TEST_F(Formats, MarkdownKeepsTheProgramsTextInItsFence) {
  Finding f = failed_assertion();
  f.message = "````\n</details><script>@all";
  findings_ = {f};
  EXPECT_THAT(markdown_text(results()), HasSubstr("\n`````text\n"));
}

TEST_F(Formats, ACommentHasRoomForIt) {
  for (int i = 0; i < 2000; ++i) {
    findings_.push_back(two_thousand_steps());
    findings_.back().place.function += std::string(1000, 'x');
  }
  const std::string text = markdown_text(results());
  EXPECT_LT(text.size(), 65'536u);
  EXPECT_THAT(text, HasSubstr("left out"));
}

TEST_F(Formats, ArrowsGoForwardToTheThreadThatWasWoken) {
  Finding f = deadlock_of_two();
  f.rows[0].wakes = {1};
  const json events = json::parse(trace_events_text(f))["traceEvents"];
  const auto of = [&](const char* phase) {
    return *std::ranges::find_if(events, [&](const json& e) { return e["ph"] == phase; });
  };
  EXPECT_EQ(of("s")["id"], of("f")["id"]);
  EXPECT_LT(of("s")["ts"], of("f")["ts"]);
  EXPECT_EQ(of("f")["tid"], 2);
}

}  // namespace
}  // namespace snarl::report
