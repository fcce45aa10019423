#include "explain/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/diagnose/test_records.h"
#include "record/modules.h"

namespace snarl::explain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Signature, IsTheSameInEveryProcess) {
  EXPECT_EQ(signature_of(unknown_deadlock(0x1000'0000)), signature_of(unknown_deadlock(0x7fff'0000'0000)));
  EXPECT_EQ(signature_of(unknown_deadlock()), "deadlock join bank+0x100; lock bank+0x200; lock bank+0x200");
}

TEST(Signature, DoesNotDependOnWhichThreadIsWhich) {
  record::RunRecord r = unknown_deadlock();
  std::swap(r.threads[0], r.threads[2]);
  EXPECT_EQ(signature_of(r), signature_of(unknown_deadlock()));
}

TEST(Signature, EnabledAndEndedThreadsDoNotCount) {
  record::RunRecord r = unknown_deadlock();
  r.threads[1].enabled = 1;
  r.threads[0].phase = wire::ThreadPhase::kEnded;
  EXPECT_EQ(signature_of(r), "deadlock lock bank+0x200");
}

// At -O0 the innermost frame is the same wrapper for every std::mutex: callers tell deadlocks apart.
TEST(Signature, CallersTellWrappersApart) {
  record::RunRecord r = unknown_deadlock();
  r.modules.push_back(libc());
  r.threads.resize(1);
  r.threads[0].stack = add_stack(r, {kBias + 0x100010, kBias + 0x20, kBias + 0x30});
  EXPECT_EQ(signature_of(r), "deadlock join bank+0x20 bank+0x30");
}

TEST(Signature, OfASignalIsItsFirstPlaceInOwnCode) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kSignal;
  r.signal = 11;
  r.failing_thread = 1;
  r.modules.push_back(libc());
  r.threads[1].stack = add_stack(r, {kBias + 0x100010, kBias + 0x20, kBias + 0x30});
  EXPECT_EQ(signature_of(r), "signal 11 bank+0x20");
}

TEST(Signature, OfTheOtherKinds) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kAssert;
  r.message = "bad pointer 0x7ffe12 in bank";
  EXPECT_EQ(signature_of(r), "assert bad pointer 0x? in bank");
  r.outcome = OutcomeKind::kExit;
  r.exit_code = 3;
  EXPECT_EQ(signature_of(r), "exit 3");
  r.outcome = OutcomeKind::kTimeout;
  EXPECT_EQ(signature_of(r), "timeout");
  EXPECT_EQ(signature_hash("timeout").size(), 6u);
}

TEST(LoadedModules, LeavesOutWhatIsNoModule) {
  EXPECT_THAT(record::loaded_modules(std::vector{wire::Module(), module(5, 5, 0, "/x"), module(1, 2, 0, "")}),
              IsEmpty());
}

TEST(Signature, OfALivelockIsWhatItsThreadsRun) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kLivelock;
  r.threads[1].start_pc = kBias + 0x40;
  r.threads[2].start_pc = kBias + 0x50;
  const std::string signature = signature_of(r);
  EXPECT_EQ(signature, "livelock main; thread bank+0x40; thread bank+0x50");
  r.threads[1].pending = Op{.kind = OpKind::kYield, .pc = kBias + 0x44};
  EXPECT_EQ(signature_of(r), signature) << "wherever in their loops they were";
}

TEST(Signature, OfAMisuseIsTheCallAndItsCallers) {
  record::RunRecord r = misuse();
  r.failure = record::Failure::misuse(0);
  EXPECT_EQ(signature_of(r), "unlock_not_owner unlock bank+0x200");
  EXPECT_EQ(kind_of(r), "unlock_not_owner");
  r.misuses[0].what.other_pc = kBias + 0x180;
  EXPECT_EQ(signature_of(r), "unlock_not_owner unlock bank+0x200") << "wherever it was locked";
  r.misuses[0].stack = add_stack(r, {kBias + 0x200, kBias + 0x300});
  EXPECT_EQ(signature_of(r), "unlock_not_owner unlock bank+0x200 bank+0x300");
}

TEST(Failure, ARunMayFailInSeveralWays) {
  record::RunRecord r = misuse();
  EXPECT_THAT(failures_of(r), ElementsAre(record::Failure::misuse(0)));
  r.outcome = OutcomeKind::kExit;
  r.exit_code = 3;
  r.misuses.push_back(r.misuses[0]);
  r.misuses[1].what.kind = MisuseKind::kExitHolding;
  EXPECT_THAT(failures_of(r), ElementsAre(record::Failure::misuse(0), record::Failure())) << "a note is no failure";
  EXPECT_TRUE(choose_failure(r, "exit 3"));
  EXPECT_EQ(r.failure, record::Failure());
  EXPECT_TRUE(choose_failure(r, "unlock_not_owner unlock bank+0x200"));
  EXPECT_EQ(r.failure, record::Failure::misuse(0));
  EXPECT_FALSE(choose_failure(r, "exit 4"));
  EXPECT_EQ(r.failure, record::Failure());
  r = record::RunRecord();
  r.outcome = OutcomeKind::kOk;
  EXPECT_FALSE(fails(r));
}

}  // namespace
}  // namespace snarl::explain
