#include "cli/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Type = Setting::Type;

Toml parsed(std::string_view text) {
  Expected<Toml> toml = parse_toml(text, "f");
  EXPECT_TRUE(toml) << toml.error().message;
  return toml ? std::move(*toml) : Toml();
}

TEST(Toml, ReadsEveryKindOfValue) {
  const Toml toml = parsed(
      "# a comment\n\ntimeout = \"30s\"  # another\nsteps=10_000\r\nratio = -1.5\nseed = 0x5eed\n"
      "keep-going = true\nonce = false\npath = 'C:\\dir'\nquoted = \"a \\\"b\\\" \\\\ \\t#\"\n"
      "policy = [ \"random\", # first\n  'pct:depth=3',\n]\nnone = []\n[replay]\ntimes = 20\n[ demo ]\n");
  ASSERT_EQ(toml.settings.size(), 11u);
  const auto expect = [&](size_t i, const char* key, Type type, const char* value, int line) {
    EXPECT_EQ(toml.settings[i].key, key);
    EXPECT_EQ(toml.settings[i].type, type) << key;
    EXPECT_THAT(toml.settings[i].values, ElementsAre(value)) << key;
    EXPECT_EQ(toml.settings[i].line, line) << key;
  };
  expect(0, "timeout", Type::kString, "30s", 3);
  expect(1, "steps", Type::kNumber, "10000", 4);
  expect(2, "ratio", Type::kNumber, "-1.5", 5);
  expect(3, "seed", Type::kNumber, "0x5eed", 6);
  expect(4, "keep-going", Type::kBool, "true", 7);
  expect(5, "once", Type::kBool, "false", 8);
  expect(6, "path", Type::kString, "C:\\dir", 9);
  expect(7, "quoted", Type::kString, "a \"b\" \\ \t#", 10);
  EXPECT_THAT(toml.settings[8].values, ElementsAre("random", "pct:depth=3"));
  EXPECT_EQ(toml.settings[8].line, 11);
  EXPECT_TRUE(toml.settings[9].values.empty());
  EXPECT_EQ(toml.settings[10].section, "replay");
  EXPECT_EQ(toml.settings[10].line, 16);
  EXPECT_THAT(toml.sections, ElementsAre(testing::Pair("replay", 15), testing::Pair("demo", 17)));
}

TEST(Toml, NothingIsAFile) {
  EXPECT_TRUE(parsed("").settings.empty());
  EXPECT_TRUE(parsed("\xef\xbb\xbf# no newline at the end").settings.empty());
  EXPECT_EQ(parsed("a = 1").settings.size(), 1u);
}

void expect_error(std::string_view text, const char* message) {
  const Expected<Toml> toml = parse_toml(text, "snarl.toml");
  ASSERT_FALSE(toml) << text;
  EXPECT_EQ(toml.error().exit_code, 2);
  EXPECT_THAT(toml.error().message, HasSubstr(message)) << text;
}

TEST(Toml, ErrorsNameTheLine) {
  expect_error("a = 1\nb\n", "snarl.toml:2: 'b' has no value");
  expect_error("a = 1\n\nb =\n", "snarl.toml:3: 'b' has no value");
  expect_error("a = 30s", "snarl.toml:1: '30s' is no value");
  expect_error("a = \"x\nb = 1", "snarl.toml:1: a string is not closed");
  expect_error("a = \"\\q\"", "snarl.toml:1: unknown escape \\q");
  expect_error("a = 1 b = 2", "snarl.toml:1: what is 'b = 2'");
  expect_error("a = 1\na = 2", "snarl.toml:2: 'a' is there twice, first in line 1");
  expect_error("[run]\n[run]", "snarl.toml:2: a second section [run]");
  expect_error("[run", "snarl.toml:1: the section [run] is not closed");
  expect_error("\na = [\"x\"\n", "snarl.toml:2: the list of 'a' is not closed");
  expect_error("a = [\"x\" \"y\"]", "snarl.toml:1: a comma is missing");
  expect_error("a = [1]", "snarl.toml:1: a list holds strings");
  expect_error("= 1", "snarl.toml:1: expected a key");
  expect_error("a = \"\x01\"", "snarl.toml:1: a control character");
}

// Right in TOML, but not known here: said, not guessed.
TEST(Toml, WhatIsNotKnownIsSaid) {
  expect_error("a.b = 1", "dotted keys");
  expect_error("[[run]]", "arrays of tables");
  expect_error("a = {b = 1}", "no value that is known here");
  expect_error("a = \"\"\"x\"\"\"", "several lines");
  expect_error("a = 1979-05-27", "is no value");
  for (const char* text : {"a = 1__0", "a = _1", "a = 1_", "a = 1.", "a = .5", "a = 1.2.3", "a = 0x", "a = 007",
                           "# \x01", "a = 1\n[a]", "a = -", "a = nan"})
    EXPECT_FALSE(parse_toml(text, "f")) << text;
}

// No input may crash it or keep it busy.
TEST(Toml, CutAnywhereItStillAnswers) {
  const std::string text = "a = [\"x\", 'y', # c\n \"\\t\"]\n[s]\nb = 0x1f # d\nc = true\n";
  for (size_t i = 0; i < text.size(); ++i) {
    (void)parse_toml(text.substr(0, i), "f");
    (void)parse_toml(text.substr(i), "f");
    std::string changed = text;
    changed[i] = '"';
    (void)parse_toml(changed, "f");
  }
  EXPECT_TRUE(parse_toml(text, "f"));
}

}  // namespace
}  // namespace snarl::cli
