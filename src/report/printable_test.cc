#include "report/printable.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "report/output_tail.h"
#include "report/text/one_line.h"

namespace snarl::report {
namespace {

TEST(Printable, ShowsWhatCouldDriveATerminal) {
  EXPECT_EQ(printable("a\x1b[2J\x7f\r"), "a\\x1b[2J\\x7f\\x0d");
  EXPECT_EQ(printable(std::string_view("a\0b\tc", 5)), "a\\x00b c");
  EXPECT_EQ(printable("\xc2\x9b"
                      "0m"),
            "\\x9b0m");                                     // CSI in one code point
  EXPECT_EQ(printable("\xe2\x80\xae txt"), "\\u202e txt");  // right-to-left override
  EXPECT_EQ(printable("one\ntwo"), "one\\x0atwo");
  EXPECT_EQ(printable("one\ntwo", Newlines::kKeep), "one\ntwo");
}

TEST(Printable, KeepsUtf8AndReplacesWhatIsNot) {
  EXPECT_EQ(printable("größe \xf0\x9f\x98\x80"), "größe \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(printable("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");                  // an overlong NUL
  EXPECT_EQ(printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");                  // cut off
}

TEST(Printable, IsIdempotentOnAnyBytes) {
  Rng rng(7);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes;
    for (uint64_t n = rng.below(12); n > 0; --n) bytes += static_cast<char>(rng.next());
    const std::string once = printable(bytes);
    EXPECT_EQ(printable(once), once);
  }
}

TEST(Columns, AreCodePoints) {
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(padded("ö", 3), "ö  ");
  EXPECT_EQ(padded_left("ö", 3), "  ö");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("connection_manager.cc:1042", 15), "connec...c:1042");
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("öööööööööö", 7), "öö...öö");
  EXPECT_EQ(shortened("abcdef", 3), "abc");
}

TEST(Numbers, AreForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(9120), "9,120");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(counted(1, "switch", "switches"), "1 switch");
  EXPECT_EQ(counted(2, "switch", "switches"), "2 switches");
  EXPECT_EQ(duration(0.004), "4 ms");
  EXPECT_EQ(duration(4.71), "4.7 s");
  EXPECT_EQ(duration(83), "83 s");
  EXPECT_EQ(duration(1200), "20 min");
  EXPECT_EQ(duration(7500), "2 h 5 min");
}

FindingSwitch go(Step step, uint32_t to, Reason reason) {
  FindingSwitch s;
  s.step = step;
  s.to = to;
  s.reason = reason;
  return s;
}

TEST(OneLine, IsDejafusNotation) {
  EXPECT_EQ(one_line_schedule({}, 3, 100), "S0---x");
  const std::vector<FindingSwitch> two = {go(4, 1, Reason::kBlocked), go(5, 2, Reason::kPreempted),
                                          go(7, 1, Reason::kYielded), go(27, 0, Reason::kEnded)};
  EXPECT_EQ(one_line_schedule(two, 27, 100), "S0----S1-P2--p1-20-S0x");
}

TEST(OneLine, LeavesTheMiddleOut) {
  std::vector<FindingSwitch> many;
  for (uint32_t i = 1; i < 200; ++i) many.push_back(go(i * 3, i % 2, Reason::kPreempted));
  for (size_t width = 40; width < 1200; width += 13) {
    const std::string line = one_line_schedule(many, 600, width);
    EXPECT_LE(line.size(), width);
    EXPECT_TRUE(line.starts_with("S0---P1---")) << line;
    EXPECT_TRUE(line.ends_with("P1---x")) << line;
    EXPECT_EQ(line.find("...") == std::string::npos, width > 1000) << line;
  }
}

TEST(OneLine, DoesNotMindStepsThatGoBack) {
  const std::vector<FindingSwitch> wrong = {go(9, 1, Reason::kBlocked), go(2, 2, Reason::kNone)};
  EXPECT_EQ(one_line_schedule(wrong, 1, 100), "S0---------S1S2x");
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrapped("a\n\nb", 8), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(wrapped("", 8).empty());
  EXPECT_EQ(wrapped(std::string(5000, 'x'), 10).size(), 12u);
}

}  // namespace
}  // namespace snarl::report
