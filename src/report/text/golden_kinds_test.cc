// Every kind of finding has its words: compared with tests/golden/kinds (golden_test.cc says how to rewrite them).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "report/finding.h"
#include "report/text/finding.h"
#include "report/text/finding_words.h"
#include "report/text/golden_findings.h"

namespace snarl::report {
namespace {

void expect_kind(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(SNARL_GOLDEN) / "kinds" / (name + ".txt");
  if (std::getenv("SNARL_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::stringstream expected;
  expected << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(expected.str(), text) << path << " differs; SNARL_UPDATE_GOLDEN=1 rewrites it";
}

TEST(Kinds, EveryOutcomeHasItsReport) {
  std::set<std::string> kinds;
  for (const Finding& finding : findings_of_every_outcome()) {
    kinds.insert(kind_of(finding));
    expect_kind(kind_of(finding), finding_text(finding));
  }
  for (size_t kind = 0; kind < static_cast<size_t>(OutcomeKind::kCount); ++kind)
    EXPECT_TRUE(!is_failure(static_cast<OutcomeKind>(kind)) || kinds.contains(name_of(static_cast<OutcomeKind>(kind))))
        << name_of(static_cast<OutcomeKind>(kind));
}

TEST(Kinds, EveryMisuseHasItsReport) {
  std::set<std::string> kinds;
  for (const Finding& finding : findings_of_every_misuse()) {
    kinds.insert(kind_of(finding));
    expect_kind(kind_of(finding), finding_text(finding));
    EXPECT_NE(headline_of(finding), "misuse");
  }
  EXPECT_EQ(kinds.size(), static_cast<size_t>(MisuseKind::kCount) - 1);
}

// Those of a misuse say nothing that its message does not say.
TEST(Kinds, EveryPatternHasItsSentence) {
  std::string text;
  std::set<std::string> sentences;
  for (const Finding& finding : findings_of_every_pattern()) {
    const std::string sentence = sentence_of(finding);
    text += std::string(name_of(finding.pattern.kind)) + ": " + sentence + "\n";
    EXPECT_EQ(sentence.empty(), finding.pattern.moments.empty()) << name_of(finding.pattern.kind);
    EXPECT_TRUE(sentence.empty() || sentences.insert(sentence).second) << sentence;
  }
  expect_kind("patterns", text);
}

}  // namespace
}  // namespace snarl::report
