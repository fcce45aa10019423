#include "schedule/function_rule.h"

#include <gtest/gtest.h>

namespace snarl {
namespace {

FunctionRule parsed(std::string_view line) {
  const Expected<FunctionRule> rule = parse_function_rule(line);
  EXPECT_TRUE(rule) << line << ": " << rule.error().message;
  return rule ? *rule : FunctionRule();
}

std::string problem(std::string_view line) {
  const Expected<FunctionRule> rule = parse_function_rule(line);
  return rule ? "none" : rule.error().message;
}

TEST(FunctionRule, Lines) {
  EXPECT_EQ(parsed("lock: my_lock(1)"), (FunctionRule{FunctionUse::kLock, "my_lock", 1, false}));
  EXPECT_EQ(parsed("unlock:my_unlock(2)"), (FunctionRule{FunctionUse::kUnlock, "my_unlock", 2, false}));
  EXPECT_EQ(parsed("trylock: try_it(1) returns zero"), (FunctionRule{FunctionUse::kTryLock, "try_it", 1, true}));
  EXPECT_EQ(parsed("try-read-lock: rw::try_read(1)"),
            (FunctionRule{FunctionUse::kTryReadLock, "rw::try_read", 1, false}));
  EXPECT_EQ(parsed("point: queue::push"), (FunctionRule{FunctionUse::kPoint, "queue::push", 0, false}));
}

TEST(FunctionRule, NamesMayHaveBracketsAndBlanks) {
  EXPECT_EQ(parsed("lock: take(int, char)(2)").pattern, "take(int, char)");
  EXPECT_EQ(parsed("point: operator new(unsigned long)").pattern, "operator new(unsigned long)");
}

TEST(FunctionRule, TextAndBack) {
  for (const char* line : {"lock: a(1)", "trylock: b(6) returns zero", "trylock: b(6) returns nonzero", "point: c*"})
    EXPECT_EQ(to_text(parsed(line)), line);
}

TEST(FunctionRule, WhatIsWrong) {
  EXPECT_NE(problem("lok: a(1)").find("did you mean 'lock'"), std::string::npos) << problem("lok: a(1)");
  EXPECT_NE(problem("lock my_lock(1)").find("found"), std::string::npos);
  EXPECT_NE(problem("lock: my_lock").find("which argument"), std::string::npos);
  EXPECT_NE(problem("lock: my_lock(7)").find("which argument"), std::string::npos);
  EXPECT_NE(problem("lock: (1)").find("which argument"), std::string::npos);
  EXPECT_NE(problem("trylock: a(1) returns EBUSY").find("returns zero or returns nonzero"), std::string::npos);
  EXPECT_NE(problem("lock: a(1) returns zero").find("only what tries"), std::string::npos);
  EXPECT_NE(problem("point:").find("missing"), std::string::npos);
}

TEST(FunctionRule, FilesHaveCommentsAndLineNumbers) {
  const auto rules = parse_function_rules("# ours\n\nlock: a(1)  # spins\nunlock: b(1)\n", "locks.txt");
  ASSERT_TRUE(rules);
  EXPECT_EQ(to_text(*rules), "lock: a(1)\nunlock: b(1)\n");
  const auto bad = parse_function_rules("lock: a(1)\n\nnonsense\n", "locks.txt");
  ASSERT_FALSE(bad);
  EXPECT_TRUE(bad.error().message.starts_with("locks.txt:3: ")) << bad.error().message;
  EXPECT_EQ(bad.error().exit_code, 2);
}

}  // namespace
}  // namespace snarl
