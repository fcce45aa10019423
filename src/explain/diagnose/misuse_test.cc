// Misuses and livelocks in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "explain/diagnose/test_records.h"
#include "report/text/finding.h"
#include "report/text/misuse_words.h"

namespace snarl::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(DiagnoseMisuse, HasBothPlacesAndEndsThere) {
  record::RunRecord r = misuse();
  r.failure = record::Failure::misuse(0);
  const report::Finding f = finding_of(r);
  EXPECT_STREQ(kind_of(f), "unlock_not_owner");
  EXPECT_EQ(message_of(f), "T2 unlocks mutex A, which T1 holds.");
  ASSERT_EQ(f.deeds.size(), 2u);
  EXPECT_EQ(report::MisuseWords(f).deed(f.deeds[0]), "T2 unlocks A");
  EXPECT_EQ(f.deeds[0].place.offset, 0x200u);
  EXPECT_EQ(report::MisuseWords(f).deed(f.deeds[1]), "T1 locked A");
  EXPECT_EQ(f.deeds[1].place.offset, 0x100u);
  EXPECT_THAT(texts(f), ElementsAre("T1 lock A", "T2 unlock A", "T2 unlock by another thread"))
      << "not what came later";
  EXPECT_EQ(f.failing_thread, 2u);
  EXPECT_THAT(report::finding_text(f), Not(HasSubstr("Meanwhile")));
  EXPECT_EQ(schedule_of(r, context(), 1).failure, "unlock_not_owner");
}

TEST(DiagnoseMisuse, FindsTheOtherPlaceInTheEvents) {
  record::RunRecord r = misuse();
  r.failure = record::Failure::misuse(0);
  r.events = {event(1, 1, OpKind::kUnlock, kHeapA, kBias + 0x100), event(2, 2, OpKind::kUnlock, kHeapA, kBias + 0x200)};
  r.misuses[0].what.kind = MisuseKind::kUnlockNotLocked;
  r.misuses[0].what.other_op = OpKind::kNone;
  r.misuses[0].what.other = kNobody;
  r.misuses[0].what.other_pc = 0;
  const report::Finding f = finding_of(r);
  ASSERT_EQ(f.deeds.size(), 2u);
  EXPECT_EQ(report::MisuseWords(f).deed(f.deeds[1]), "T1 unlocked A");
}

TEST(DiagnoseMisuse, EveryKindHasWords) {
  for (int i = 1; i < static_cast<int>(MisuseKind::kCount); ++i)
    for (OpKind op : {OpKind::kUnlock, OpKind::kCondDestroy, OpKind::kJoin, OpKind::kEndProcess, OpKind::kNone}) {
      record::RunRecord r = misuse();
      r.failure = record::Failure::misuse(0);
      r.misuses[0].what.kind = static_cast<MisuseKind>(i);
      r.misuses[0].what.op = op;
      const report::Finding f = finding_of(r);
      EXPECT_NE(headline_of(f), "misuse") << i;
      EXPECT_NE(message_of(f), "") << i;
      EXPECT_THAT(report::finding_text(f), HasSubstr("SUMMARY: snarl: " + headline_of(f)));
    }
}

TEST(DiagnoseMisuse, ANoteIsASentence) {
  record::RunRecord r = misuse();
  r.failure = record::Failure::misuse(0);
  r.misuses[0].what.kind = MisuseKind::kExitHolding;
  r.misuses[0].what.op = OpKind::kEndProcess;
  symbolize::Symbolizer symbolizer;
  EXPECT_EQ(note_text(r, symbolizer, ""), "T1 holds mutex A (taken at bank+0x100) when T2 ends the process.");
}

TEST(Diagnose, ALivelockSaysWhoSpinsAtWhat) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kLivelock;
  r.threads[1].enabled = r.threads[2].enabled = 1;
  r.threads[1].pending.kind = OpKind::kTryLock;
  r.threads[2].pending = Op{.kind = OpKind::kYield, .pc = kBias + 0x208};
  const report::Finding f = finding_of(r);
  EXPECT_EQ(f.threads[1].state, report::ThreadState::kSpinning);
  EXPECT_EQ(doing(f, 1), "spins: trylock B");
  EXPECT_EQ(doing(f, 2), "spins: yield");
  EXPECT_EQ(doing(f, 0), "waits for T1 to end");
  EXPECT_THAT(report::finding_text(f), HasSubstr("LIVELOCK"));
}

TEST(Diagnose, HoldersOfReadWriteLocksWithoutATrace) {
  record::RunRecord r = unknown_deadlock();
  r.events.clear();
  r.threads[1].pending.kind = OpKind::kWriteLock;
  r.held[0].as = wire::HeldAs::kWriting;
  r.held[1].as = wire::HeldAs::kReading;
  const report::Finding f = finding_of(r);
  ASSERT_EQ(f.threads[2].holds.size(), 1u);
  EXPECT_EQ(f.threads[2].holds[0].how, report::Holding::kReading);
  EXPECT_EQ(f.threads[1].held_by, 2u);
}

TEST(DiagnoseMisuse, AnyEntryGivesAReport) {
  Rng rng(12);
  for (int round = 0; round < 300; ++round) {
    record::RunRecord r = misuse();
    const uint64_t which = rng.below(3);  // the second is not there
    r.failure = which == 0 ? record::Failure() : record::Failure::misuse(which - 1);
    r.outcome = OutcomeKind::kDeadlock;
    wire::MisuseEntry& m = r.misuses[0];
    m.what.kind = static_cast<MisuseKind>(rng.below(static_cast<uint64_t>(MisuseKind::kCount)));
    m.what.op = static_cast<OpKind>(rng.below(static_cast<uint64_t>(OpKind::kCount)));
    m.what.other_op = static_cast<OpKind>(rng.below(static_cast<uint64_t>(OpKind::kCount)));
    m.what.thread = static_cast<uint32_t>(rng.next());
    m.what.other = static_cast<uint32_t>(rng.next());
    m.what.joined = static_cast<uint32_t>(rng.next());
    m.what.object = rng.next();
    m.events = rng.below(2) ? rng.next() : rng.below(5);
    m.stack = static_cast<uint32_t>(rng.next());
    EXPECT_THAT(report::finding_text(finding_of(r)), HasSubstr("SUMMARY: snarl: "));
  }
}

}  // namespace
}  // namespace snarl::explain
