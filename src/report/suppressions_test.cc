#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace snarl::report {
namespace {

TEST(Pattern, FitsTheWholeText) {
  EXPECT_TRUE(fits_pattern("transfer", "transfer"));
  EXPECT_FALSE(fits_pattern("transfer", "transfers"));
  EXPECT_TRUE(fits_pattern("*", ""));
  EXPECT_FALSE(fits_pattern("?", ""));
  EXPECT_TRUE(fits_pattern("Account::*draw", "Account::withdraw"));
  EXPECT_TRUE(fits_pattern("*/bank.??", "/home/ann/src/bank.cc")) << "* may stand for folders";
  EXPECT_TRUE(fits_pattern("a*b*c", "a-b-bc-c"));
  EXPECT_FALSE(fits_pattern("a*b*c", "a-b-bc-d"));
  EXPECT_TRUE(fits_pattern("**x", "x"));
}

TEST(Suppressions, AreReadLineByLine) {
  const auto read = parse_suppressions(
      "# ours\n\n deadlock  function=transfer # known\nunlock_*\tfile=*.c module=libold.so*\r\n", "s");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].line, 3);
  EXPECT_EQ((*read)[0].text, "deadlock function=transfer");
  EXPECT_EQ((*read)[1].file, "*.c");
  EXPECT_EQ((*read)[1].module, "libold.so*");
  EXPECT_TRUE(parse_suppressions("", "s"));
}

TEST(Suppressions, AWrongLineIsNamed) {
  const auto error = [](const char* text) {
    const auto read = parse_suppressions(text, "known.txt");
    EXPECT_FALSE(read);
    EXPECT_EQ(read ? 0 : read.error().exit_code, 2);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(error("deadlock function=f\ndeadlok file=x\n"), "known.txt:2: \"deadlok\" is no kind of finding");
  EXPECT_EQ(error("deadlock"), "known.txt:1: it would suppress every deadlock");
  EXPECT_EQ(error("deadlock line=3"), "known.txt:1: expected function=, file= or module=, found \"line=3\"");
  EXPECT_EQ(error("deadlock file="), "known.txt:1: file= has no pattern");
  EXPECT_EQ(error("* file=a file=b"), "known.txt:1: file= stands here twice");
  EXPECT_EQ(error("ok file=a"), "known.txt:1: \"ok\" is no kind of finding") << "not a failure";
}

Finding deadlock() {
  Finding f;
  f.outcome = OutcomeKind::kDeadlock;
  FindingThread blocked{.ordinal = 1}, ready{.ordinal = 2};
  blocked.state = ThreadState::kBlocked;
  blocked.stack = {{.function = "lock", .module = "libold.so.1"},
                   {.function = "transfer", .file = "src/bank.cc", .path = "/home/ann/src/bank.cc", .module = "bank"}};
  ready.state = ThreadState::kReady;
  ready.stack = {{.function = "bystander", .module = "bank"}};
  f.threads = {blocked, ready};
  return f;
}

bool fits_line(const std::string& line, const Finding& f) { return fits((*parse_suppressions(line, "s"))[0], f); }

TEST(Suppressions, FitAFrameOfAThreadThatTakesPart) {
  EXPECT_TRUE(fits_line("deadlock function=transfer", deadlock()));
  EXPECT_TRUE(fits_line("* function=transfer file=bank.cc module=bank", deadlock()));
  EXPECT_TRUE(fits_line("deadlock file=/home/ann/*", deadlock()));
  EXPECT_FALSE(fits_line("deadlock function=transfer module=libold*", deadlock())) << "two different frames";
  EXPECT_FALSE(fits_line("hang function=transfer", deadlock()));
  EXPECT_FALSE(fits_line("deadlock function=bystander", deadlock()));
}

TEST(Suppressions, FitBothPlacesOfAMisuse) {
  Finding f;
  f.misuse.kind = MisuseKind::kUnlockNotOwner;
  f.deeds.resize(2);
  f.deeds[0].place.function = "thief";
  f.deeds[1].stack = {{.function = "owner", .module = "bank"}};
  EXPECT_TRUE(fits_line("unlock_not_owner function=thief", f));
  EXPECT_TRUE(fits_line("unlock_* function=owner", f));
  EXPECT_FALSE(fits_line("unlock_* function=main", f));
}

TEST(Suppressions, LinesForTSanAreTaken) {
  const auto all = parse_suppressions("race:push\nrace:^pop$\ndeadlock:old.cc\n", "f");
  ASSERT_TRUE(all);
  Finding race;
  race.misuse.kind = MisuseKind::kRace;
  race.deeds = {{DeedKind::kAccess, 1, OpKind::kWrite, {}, {{.function = "queue::push_back"}}}};
  EXPECT_TRUE(fits((*all)[0], race));
  EXPECT_FALSE(fits((*all)[1], race));
  EXPECT_FALSE(fits((*all)[2], race));
  race.deeds[0].stack[0].function = "pop";
  EXPECT_TRUE(fits((*all)[1], race));
  EXPECT_FALSE(parse_suppressions("race:\n", "f"));
}

}  // namespace
}  // namespace snarl::report
