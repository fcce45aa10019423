#include "record/output_check.h"

#include <gtest/gtest.h>

namespace snarl::record {
namespace {

using Kind = WrongOutput::Kind;

// What is said of `got`, in pieces of any size: the same each time.
WrongOutput compared(const std::string& expected, const std::string& got) {
  std::optional<WrongOutput> result;
  for (size_t piece = 1; piece <= got.size() + 1; piece += 1 + piece / 4) {
    Comparison comparison;
    for (size_t at = 0; at < got.size(); at += piece)
      comparison.hear(expected, std::string_view(got).substr(at, piece));
    const WrongOutput said = comparison.result(expected);
    EXPECT_EQ(result.value_or(said), said) << "in pieces of " << piece;
    result = said;
  }
  return *result;
}

TEST(OutputCheck, TheSameOutputIsRight) {
  for (const std::string text : {"", "a", "a\n", "a\nb\n", "\n\n"}) EXPECT_EQ(compared(text, text).kind, Kind::kNone);
}

TEST(OutputCheck, TheFirstLineThatDiffersIsTold) {
  const WrongOutput wrong = compared("one\ntwo\nthree\n", "one\ntwice\nthree\n");
  EXPECT_EQ(wrong, (WrongOutput{.kind = Kind::kDiffers, .line = 2, .expected = "two", .got = "twice"}));
  EXPECT_EQ(compared("ab\n", "a\n").got, "a");
  EXPECT_EQ(compared("a\n", "ab\n").got, "ab");
}

TEST(OutputCheck, TooShortAndTooLong) {
  WrongOutput wrong = compared("one\ntwo\n", "one\n");
  EXPECT_TRUE(wrong.ends_early && !wrong.has_more);
  EXPECT_EQ(wrong.line, 2u);
  EXPECT_EQ(wrong.expected, "two");
  wrong = compared("one\n", "one\ntwo\n");
  EXPECT_TRUE(wrong.has_more && !wrong.ends_early);
  EXPECT_EQ(wrong.got, "two");
  wrong = compared("one\n", "one");  // only the newline is missing
  EXPECT_EQ(wrong, (WrongOutput{.kind = Kind::kDiffers, .line = 1, .expected = "one", .got = "one"}));
}

TEST(OutputCheck, OfALongLineThePartThatDiffersIsTold) {
  const std::string long_line(5000, 'x');
  const WrongOutput wrong = compared(long_line + "ab\n", long_line + "ac\n");
  EXPECT_EQ(wrong.expected, "..." + std::string(79, 'x') + "ab");
  EXPECT_EQ(wrong.got, "..." + std::string(79, 'x') + "ac");
}

class Judged : public testing::Test {
 protected:
  void expect(Expectations expectations) {
    Expected<std::unique_ptr<OutputCheck>> made =
        OutputCheck::create(std::make_shared<const Expectations>(std::move(expectations)));
    ASSERT_TRUE(made) << made.error().message;
    check_ = std::move(*made);
  }

  RunRecord run(int exit_code, const std::string& out = "", const std::string& err = "") {
    check_->rewind();
    check_->out().hear(out);
    check_->err().hear(err);
    RunRecord record;
    record.exit_code = exit_code;
    record.outcome = exit_code == 0 ? OutcomeKind::kOk : OutcomeKind::kExit;
    check_->judge(record);
    return record;
  }

  std::unique_ptr<OutputCheck> check_;
};

TEST_F(Judged, ByTheExitCode) {
  expect({.exit_code = 6});
  EXPECT_EQ(run(6).outcome, OutcomeKind::kOk);
  EXPECT_EQ(run(0).outcome, OutcomeKind::kExit);
  EXPECT_EQ(run(1).outcome, OutcomeKind::kExit);
}

TEST_F(Judged, ByTheOutputIfTheExitCodeIsRight) {
  expect({.output = "42\n"});
  EXPECT_EQ(run(0, "42\n", "noise").outcome, OutcomeKind::kOk);
  EXPECT_EQ(run(0, "41\n").outcome, OutcomeKind::kWrongOutput);
  EXPECT_EQ(run(1, "41\n").outcome, OutcomeKind::kExit);
  expect({.output = ""});
  EXPECT_EQ(run(0).outcome, OutcomeKind::kOk);
  EXPECT_EQ(run(0, "x").outcome, OutcomeKind::kWrongOutput);
}

// A run that the runtime ended has not written all.
TEST_F(Judged, NoOtherOutcomeIsTouched) {
  expect({.exit_code = 6, .output = "42\n"});
  for (const OutcomeKind kind : {OutcomeKind::kNone, OutcomeKind::kSignal, OutcomeKind::kDeadlock,
                                 OutcomeKind::kTimeout, OutcomeKind::kStepBudget, OutcomeKind::kDivergence}) {
    RunRecord record;
    record.outcome = kind;
    check_->judge(record);
    EXPECT_EQ(record.outcome, kind);
  }
}

TEST_F(Judged, ByLinesThatAreForbidden) {
  expect({.forbidden = {"^lost [0-9]+$", "(corrupt|broken)"}});
  EXPECT_EQ(run(0, "lost 1 of 2\nsaid lost 1\n").outcome, OutcomeKind::kOk);
  const RunRecord lost = run(0, "fine\nlost 17\nfine\n");
  EXPECT_EQ(lost.outcome, OutcomeKind::kWrongOutput);
  EXPECT_EQ(lost.wrong_output,
            (WrongOutput{.kind = Kind::kForbidden, .line = 2, .expected = "^lost [0-9]+$", .got = "lost 17"}));
  const RunRecord unended = run(0, "", "a\nit is broken");  // the last line has no end
  EXPECT_EQ(unended.wrong_output.line, 2u);
  EXPECT_TRUE(unended.wrong_output.on_stderr);
  std::string long_line(200 << 10, 'x');
  long_line += "corrupt\n";
  EXPECT_EQ(run(0, long_line).wrong_output.line, 1u);
}

TEST_F(Judged, WhatCameBeforeMainBelongsToEachRun) {
  expect({.output = "hello\nworld\n"});
  check_->out().hear("hello\n");
  check_->mark();
  EXPECT_EQ(run(0, "world\n").outcome, OutcomeKind::kOk);
  EXPECT_EQ(run(0, "word\n").outcome, OutcomeKind::kWrongOutput);
  EXPECT_EQ(run(0, "world\n").outcome, OutcomeKind::kOk);
  check_->forget();
  check_->mark();
  EXPECT_EQ(run(0, "world\n").outcome, OutcomeKind::kWrongOutput);
}

TEST(OutputCheck, APatternThatIsNoneIsAnError) {
  const auto check = OutputCheck::create(std::make_shared<const Expectations>(Expectations{.forbidden = {"(open"}}));
  ASSERT_FALSE(check);
  EXPECT_EQ(check.error().exit_code, 2);
}

}  // namespace
}  // namespace snarl::record
