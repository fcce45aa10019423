// Reports compared, byte for byte, with tests/golden. SNARL_UPDATE_GOLDEN=1 rewrites them: read the difference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/formats/finding_json.h"
#include "report/printable.h"
#include "report/text/finding.h"
#include "report/text/golden_findings.h"

namespace snarl::report {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::filesystem::path(SNARL_GOLDEN) / name;
  if (std::getenv("SNARL_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  // GoogleTest prints the difference of texts of several lines.
  EXPECT_EQ(read(path), text) << path << " differs; SNARL_UPDATE_GOLDEN=1 rewrites it";
}

void expect_report(const std::string& name, const Finding& finding, size_t width = 100) {
  expect_golden(name, finding_text(finding, {.width = width}));
}

TEST(Golden, DeadlockOfTwo) { expect_report("deadlock.txt", deadlock_of_two()); }
TEST(Golden, DeadlockNarrow) { expect_report("deadlock_60.txt", deadlock_of_two(), 60); }
TEST(Golden, DeadlockWide) { expect_report("deadlock_160.txt", deadlock_of_two(), 160); }
TEST(Golden, Explained) { expect_report("explained.txt", explained_deadlock()); }
TEST(Golden, ExplainedNarrow) { expect_report("explained_60.txt", explained_deadlock(), 60); }
TEST(Golden, DeadlockOfThreeLongNames) { expect_report("deadlock_long_names.txt", deadlock_of_three_names()); }
TEST(Golden, MissedSignal) { expect_report("missed_signal.txt", missed_signal()); }
TEST(Golden, Assertion) { expect_report("assert.txt", failed_assertion()); }
TEST(Golden, SegmentationFault) { expect_report("segv.txt", segmentation_fault()); }
TEST(Golden, ExitCode) { expect_report("exit.txt", wrong_exit_code()); }
TEST(Golden, NineThreads) { expect_report("many_threads.txt", nine_threads()); }
TEST(Golden, TwoThousandSteps) { expect_report("many_steps.txt", two_thousand_steps()); }
TEST(Golden, HostileTexts) { expect_report("hostile.txt", hostile_texts()); }
TEST(Golden, WithoutTrace) { expect_report("no_trace.txt", without_trace()); }
TEST(Golden, UpgradedLock) { expect_report("rwlock.txt", upgraded_lock()); }
TEST(Golden, EarlyTimeout) { expect_report("timed_wait.txt", early_timeout()); }
TEST(Golden, Spinning) { expect_report("timeout.txt", spinning()); }
TEST(Golden, Misuse) { expect_report("misuse.txt", stolen_lock()); }
TEST(Golden, Livelock) { expect_report("livelock.txt", polite_pair()); }
TEST(Golden, SuppressedAndNoted) { expect_golden("suppressed.txt", summary_text(suppressed_and_noted())); }
TEST(Golden, NothingFound) { expect_golden("nothing_found.txt", summary_text(nothing_found())); }
TEST(Golden, TwoFindings) { expect_golden("two_findings.txt", summary_text(two_findings())); }
TEST(Golden, FindingJson) { expect_golden("deadlock.json", finding_json_text(deadlock_of_two())); }
TEST(Golden, ExplainedJson) { expect_golden("explained.json", finding_json_text(explained_deadlock())); }
TEST(Golden, HostileJson) { expect_golden("hostile.json", finding_json_text(hostile_texts())); }
TEST(Golden, SummaryJson) { expect_golden("summary.json", summary_json_text(two_findings())); }

// Whatever the width, every line fits, and nothing but printable text comes out.
TEST(Reports, FitAndArePrintable) {
  for (const Finding& finding : golden_findings())
    for (size_t width = 60; width <= 200; width += 7) {
      std::istringstream lines(finding_text(finding, {.width = width}));
      for (std::string line; std::getline(lines, line);) {
        const bool free = line.starts_with("SUMMARY") || line.starts_with("Replay") || line.starts_with("Files");
        EXPECT_TRUE(free || columns(line) <= width) << width << " columns: " << line;
        EXPECT_EQ(printable(line), line);
        EXPECT_NE(line.back(), ' ') << line;
      }
    }
}

TEST(Reports, ColourIsOnlyAddedWhenAsked) {
  for (const Finding& finding : golden_findings()) {
    const std::string plain = finding_text(finding), painted = finding_text(finding, {.color = true});
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    std::string stripped;
    for (size_t i = 0; i < painted.size(); ++i)
      painted[i] == '\x1b' ? void(i = painted.find('m', i)) : stripped.push_back(painted[i]);
    EXPECT_EQ(stripped, plain);
  }
}

TEST(Reports, EndWithTheSummaryLine) {
  EXPECT_TRUE(finding_text(deadlock_of_two()).ends_with("\nSUMMARY: snarl: deadlock bank.cc:22 in transfer\n"));
}

TEST(Reports, AnEmptyFindingIsAReportToo) {
  EXPECT_NE(finding_text(Finding()), "");
  EXPECT_NE(summary_text(Summary()), "");
}

TEST(Reports, SayHowToComeToAFindingThatCouldNotBeStored) {
  Summary summary = two_findings();
  summary.findings.front().folder.clear();
  summary.findings.front().seed = 0x10129dd7155b3739;
  const std::string text = summary_text(summary);
  EXPECT_NE(text.find("not stored\n        --seed 0x10129dd7155b3739 -n 13 --keep-going finds it again\n"), text.npos)
      << text;
  EXPECT_EQ(text.find("snarl replay 0001"), text.npos) << text;
}

// What is stored is told again word for word.
TEST(Reports, AreTheSameFromTheirJson) {
  for (const Finding& finding : golden_findings()) {
    const Expected<Finding> stored = finding_from_json_text(finding_json_text(finding));
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_EQ(finding_text(*stored), finding_text(finding));
  }
}

TEST(Reports, RefuseOtherJson) {
  for (const char* text : {"[1]", R"({"schema": "snarl.finding/2"})"}) EXPECT_FALSE(finding_from_json_text(text));
}

}  // namespace
}  // namespace snarl::report
