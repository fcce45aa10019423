#include "report/text/finding_words.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "report/text/act_words.h"
#include "report/text/row_words.h"
#include "report/text/signal_name.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

// libc has a list of its own.
TEST(SignalName, IsLibcs) {
  for (int signal = -1; signal < 70; ++signal) {
    const char* name = sigabbrev_np(signal);
    EXPECT_EQ(signal_name(signal), name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal));
  }
}

Finding two_mutexes() {
  Finding f;
  f.outcome = OutcomeKind::kDeadlock;
  f.objects = {{.kind = ObjectKind::kMutex, .name = "A"}, {.kind = ObjectKind::kCondition, .name = "ready"}};
  return f;
}

TEST(ActWords, SayWhatIsDoneToWhat) {
  const Finding f = two_mutexes();
  const ActWords words(f.objects);
  EXPECT_EQ(words.text({.kind = OpKind::kLock, .object = 0}, {}), "lock A");
  EXPECT_EQ(words.text({.kind = OpKind::kCreate, .thread = 2}, {}), "create T2");
  EXPECT_EQ(words.text({.kind = OpKind::kJoin}, {}), "join another thread");
  EXPECT_EQ(words.text({.kind = OpKind::kFunction}, {.function = "pay"}), "enter pay");
  const FindingAct reacquire{.kind = OpKind::kReacquire, .object = 1, .second = 0};
  EXPECT_EQ(words.text(reacquire, {}), "reacquire A");
  EXPECT_EQ(words.note(reacquire), "woken by ready");
  EXPECT_EQ(words.waits(reacquire), "waits for a signal of ready");
  EXPECT_EQ(words.waits_short(reacquire), "wait ready");
  EXPECT_EQ(words.waits_short({.kind = OpKind::kReacquire, .kind_only = true}), "wait reacquire");
  EXPECT_EQ(words.note({.kind = OpKind::kTryLock, .object = 0, .result = EBUSY}), "fails: it is taken");
  EXPECT_EQ(words.note({.kind = OpKind::kLock, .object = 0, .result = ETIMEDOUT}), "timed out");
}

// Whatever is in the data: an index that is none must not be followed.
TEST(FindingWords, WrongIndicesAreNoNames) {
  Finding f = two_mutexes();
  f.misuse = {.kind = MisuseKind::kUnlockNotLocked, .op = OpKind::kUnlock, .thread = 1, .object = 77};
  f.threads.push_back({.ordinal = 1, .state = ThreadState::kBlocked, .doing = Doing::kWaits});
  f.threads[0].act = {.kind = OpKind::kLock, .object = 77};
  f.threads[0].holds = {{.object = kNoObject}};
  f.rows.push_back({.thread = 1, .act = {.kind = OpKind::kWait, .object = 5, .second = 6}});
  const ActWords words(f.objects);
  EXPECT_EQ(doing_text(f.threads[0], words), "waits for ?");
  EXPECT_EQ(words.name(f.threads[0].holds[0].object), "?");
  EXPECT_EQ(words_of(f.rows[0], words, "").text, "wait ?");
  EXPECT_EQ(message_of(f), "T1 unlocks object , which nobody holds.");
}

TEST(FindingWords, TheSummarySaysWhatAndWhere) {
  Finding f = two_mutexes();
  f.place = {.function = "transfer", .file = "bank.cc", .line = 22};
  EXPECT_EQ(summary_of(f), "deadlock bank.cc:22 in transfer");
  EXPECT_STREQ(kind_of(f), "deadlock");
}

TEST(FindingWords, HoldersOfWhatAThreadWaitsFor) {
  Finding f = two_mutexes();
  FindingRow row{.kind = RowKind::kNeverGranted, .thread = 1};
  row.act = {.kind = OpKind::kLock, .object = 0};
  row.holders = {1, 2, 0};
  row.more_holders = true;
  const RowWords told = words_of(row, ActWords(f.objects), "");
  EXPECT_EQ(told.text, "wait A");
  EXPECT_EQ(told.note, "held by itself, T2, main and others");
  EXPECT_STREQ(mark_of(row), ">> ");
}

TEST(FindingWords, TimeIsUp) {
  Finding f;
  f.outcome = OutcomeKind::kTimeout;
  f.run_seconds = 10.02;
  f.last_to_run = 2;
  f.threads = {{.ordinal = 2, .state = ThreadState::kRunning, .doing = Doing::kComputes}};
  EXPECT_EQ(message_of(f),
            "The program had not come to its end after 10 s and was ended. T2 had the turn: it loops or blocks between "
            "two schedule points, or needs more time (--timeout).");
  EXPECT_EQ(doing_text(f.threads[0], ActWords(f.objects)), "had the turn, computes or loops");
}

}  // namespace
}  // namespace snarl::report
