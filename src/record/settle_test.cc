#include "record/settle.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace snarl::record {
namespace {

constexpr int exited(int code) { return code << 8; }

OutcomeKind settled(OutcomeKind runtimes, int status, bool timed_out = false) {
  RunRecord record;
  record.outcome = runtimes;
  settle(record, status, timed_out);
  return record.outcome;
}

TEST(Settle, TheWaitStatusHasTheLastWord) {
  EXPECT_EQ(settled(OutcomeKind::kNone, exited(0)), OutcomeKind::kOk);
  EXPECT_EQ(settled(OutcomeKind::kOk, exited(3)), OutcomeKind::kExit);
  EXPECT_EQ(settled(OutcomeKind::kOk, SIGSEGV), OutcomeKind::kSignal);
  EXPECT_EQ(settled(OutcomeKind::kAssert, SIGABRT), OutcomeKind::kAssert);
}

TEST(Settle, OnlyTheRuntimeSeesADeadlock) {
  EXPECT_EQ(settled(OutcomeKind::kDeadlock, exited(1)), OutcomeKind::kDeadlock);
  EXPECT_EQ(settled(OutcomeKind::kStepBudget, exited(0)), OutcomeKind::kStepBudget);
  EXPECT_EQ(settled(OutcomeKind::kDivergence, exited(1)), OutcomeKind::kDivergence);
}

TEST(Settle, AKillFromOutsideIsNoVerdict) {
  EXPECT_EQ(settled(OutcomeKind::kNone, SIGKILL), OutcomeKind::kNone);
  EXPECT_EQ(settled(OutcomeKind::kOk, SIGKILL), OutcomeKind::kNone);
  EXPECT_EQ(settled(OutcomeKind::kNone, SIGKILL, true), OutcomeKind::kTimeout);
  EXPECT_EQ(settled(OutcomeKind::kSignal, SIGKILL), OutcomeKind::kNone);  // it spoke of another signal
}

TEST(Settle, AKillThatTheProgramSendsIsOne) {
  RunRecord record;
  record.outcome = OutcomeKind::kSignal;
  record.signal = SIGKILL;
  settle(record, SIGKILL, false);
  EXPECT_EQ(record.outcome, OutcomeKind::kSignal);
}

TEST(Settle, WhoIsLostEachTimeEndsByThat) {
  RunRecord lost, passed;
  passed.outcome = OutcomeKind::kOk;
  settle_lost(lost);
  settle_lost(passed);
  EXPECT_EQ(lost.outcome, OutcomeKind::kSignal);
  EXPECT_EQ(lost.signal, SIGKILL);
  EXPECT_EQ(passed.outcome, OutcomeKind::kOk);
}

TEST(Settle, EndingInTimeBeatsTheTimeout) { EXPECT_EQ(settled(OutcomeKind::kNone, exited(0), true), OutcomeKind::kOk); }

}  // namespace
}  // namespace snarl::record
