#include "report/formats/finding_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "report/text/finding.h"
#include "report/text/golden_findings.h"

namespace snarl::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string error_of(const json& j) {
  const auto read = finding_from_json(j);
  return read ? "" : read.error().message;
}

TEST(FindingJson, RoundTripIsExact) {
  std::vector<Finding> all = golden_findings();
  all.emplace_back();
  for (const Finding& f : all) {
    const json j = to_json(f);
    const auto read = finding_from_json(j);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), j);
    EXPECT_EQ(j["schema"], "snarl.finding/2");
  }
}

TEST(FindingJson, TextIsAsciiWithoutControlCharacters) {
  const std::string text = finding_json_text(hostile_texts());
  for (char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f));
  EXPECT_TRUE(finding_from_json_text(text));
}

// All that a reader with doubles gets of a number above 2^53 is its first digits.
TEST(FindingJson, SeedsAndAddressesKeepTheirSixtyFourBits) {
  Finding f = deadlock_of_two();
  f.key.seed = UINT64_MAX;
  f.fault_address = UINT64_MAX - 1;
  const json j = to_json(f);
  EXPECT_EQ(j["seed"], "0xffffffffffffffff");
  EXPECT_EQ(j["fault_address"], "0xfffffffffffffffe");
  const auto read = finding_from_json_text(finding_json_text(f));
  EXPECT_EQ(read->key.seed, UINT64_MAX);
  EXPECT_EQ(read->fault_address, UINT64_MAX - 1);
}

TEST(FindingJson, AWideNumberIsTextOfHexadecimalDigits) {
  json j = to_json(deadlock_of_two());
  for (const json& wrong : {json(7), json("7"), json("0x"), json("0xg"), json("0x1 "), json("0x12345678123456781")}) {
    j["seed"] = wrong;
    EXPECT_THAT(error_of(j), HasSubstr("'seed': expected")) << wrong;
  }
}

TEST(FindingJson, ErrorsNameTheField) {
  json j = to_json(deadlock_of_two());
  j["threads"][1]["ordinal"] = "one";
  EXPECT_EQ(error_of(j), "snarl.finding/2: 'threads[1].ordinal': expected a whole number");
  j["threads"][1]["ordinal"] = -1;
  EXPECT_EQ(error_of(j), "snarl.finding/2: 'threads[1].ordinal': expected a smaller number");
  j["threads"] = 3;
  EXPECT_EQ(error_of(j), "snarl.finding/2: 'threads': expected a list");
  j.erase("threads");
  EXPECT_EQ(error_of(j), "snarl.finding/2: 'threads': is missing");
  EXPECT_THAT(error_of(json::array()), HasSubstr("not a file of the schema"));
  EXPECT_FALSE(finding_from_json_text("{\"schema\": "));
}

TEST(FindingJson, UnknownKeysAreIgnored) {
  json j = to_json(deadlock_of_two());
  j["later"] = {1, 2, 3};
  EXPECT_EQ(error_of(j), "");
}

// A report.json that somebody edited, or another program wrote.
TEST(FindingJson, MutationsNeverCrash) {
  const std::string good = to_json(deadlock_of_two()).dump();
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (uint64_t n = rng.below(3) + 1; n > 0; --n) {
      const size_t at = rng.below(text.size());
      switch (rng.below(3)) {
        case 0: text[at] = static_cast<char>(rng.next()); break;
        case 1: text.erase(at, rng.below(30)); break;
        default: text.insert(at, "\":[{-1e300,99999999999");
      }
    }
    const json j = json::parse(text, nullptr, false);
    const Expected<Finding> read = finding_from_json(j);
    EXPECT_TRUE(!read || !finding_text(*read).empty());
  }
}

// Numbers of every size in every field: no width or index follows from them unchecked.
TEST(FindingJson, StrangeNumbersGiveAReport) {
  Finding f = deadlock_of_two();
  f.steps = f.switches = f.rows[3].step = UINT64_MAX;
  f.rows[5].thread = UINT32_MAX;
  f.failing_thread = 77;
  f.decisions[1].to = UINT32_MAX;
  f.threads[0].held_by = f.threads[0].ordinal;
  f.threads[1].ordinal = f.threads[2].ordinal;
  f.seconds = 1e30;
  EXPECT_NE(finding_text(f, {.width = 0}), "");
  f.seconds = -1;
  f.threads.clear();
  EXPECT_NE(finding_text(f, {.width = 100'000}), "");
}

TEST(FindingFolder, IsNamedAfterIdKindAndHash) {
  EXPECT_EQ(folder_name(deadlock_of_two(), "deadlock"), "0001-deadlock-9c41e0");
}

}  // namespace
}  // namespace snarl::report
