#include "explain/stuck.h"

#include <gtest/gtest.h>

#include "explain/diagnose/test_records.h"
#include "explain/signature.h"

namespace snarl::explain {
namespace {

constexpr uint64_t kQueue = 0x700, kMutex = 0x800;

wire::Thread joining(uint32_t ordinal, uint32_t target) {
  wire::Thread t = live(ordinal, OpKind::kJoin, 0, kBias + 0x10);
  t.pending.thread = static_cast<ThreadId>(target);
  return t;
}

wire::Held held(uint64_t object, uint32_t owner) {
  wire::Held h;
  h.object = object, h.owner = owner, h.pc = kBias + 0x20;
  return h;
}

record::RunRecord deadlock_of(std::vector<wire::Thread> threads, std::vector<wire::Held> held = {}) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.modules = {unknown_bank()};
  r.threads = std::move(threads);
  r.held = std::move(held);
  return r;
}

std::vector<Stuck> all(const record::RunRecord& r) {
  std::vector<Stuck> result;
  for (const wire::Thread& t : r.threads) result.push_back(stuck(r, t));
  return result;
}

TEST(StuckTest, ThoseOnACycleComeFirst) {
  const record::RunRecord r =
      deadlock_of({joining(0, 1), live(1, OpKind::kLock, kHeapB, kBias), live(2, OpKind::kLock, kHeapA, kBias),
                   live(3, OpKind::kLock, kHeapA, kBias)},
                  {held(kHeapA, 1), held(kHeapB, 2)});
  EXPECT_EQ(all(r), (std::vector{Stuck::kJoins, Stuck::kCycle, Stuck::kCycle, Stuck::kHeldByOther}));
}

TEST(StuckTest, AJoinCanBePartOfACycle) {
  const record::RunRecord r = deadlock_of({joining(0, 1), live(1, OpKind::kLock, kMutex, kBias)}, {held(kMutex, 0)});
  EXPECT_EQ(all(r), (std::vector{Stuck::kCycle, Stuck::kCycle}));
}

TEST(StuckTest, ALockOfItsOwn) {
  const record::RunRecord r = deadlock_of({live(0, OpKind::kLock, kMutex, kBias)}, {held(kMutex, 0)});
  EXPECT_EQ(stuck(r, r.threads[0]), Stuck::kCycle);
}

TEST(StuckTest, WorkersWithoutWorkComeLast) {
  const record::RunRecord r =
      deadlock_of({live(0, OpKind::kReacquire, kMutex, kBias), live(1, OpKind::kReacquire, kQueue, kBias),
                   live(2, OpKind::kReacquire, kQueue, kBias)});
  EXPECT_EQ(all(r), (std::vector{Stuck::kMainWaits, Stuck::kIdle, Stuck::kIdle}));
}

TEST(StuckTest, WhoIsJoinedIsStuckNotIdle) {
  const record::RunRecord r = deadlock_of(
      {joining(0, 2), live(1, OpKind::kReacquire, kQueue, kBias), live(2, OpKind::kReacquire, kQueue, kBias)});
  EXPECT_EQ(all(r), (std::vector{Stuck::kJoins, Stuck::kIdle, Stuck::kJoined}));
}

// How many workers happen to be idle does not make it another deadlock; who is stuck does.
TEST(StuckTest, IdleWorkersAreNotInTheSignature) {
  std::vector<wire::Thread> threads = {live(0, OpKind::kReacquire, kMutex, kBias + 0x10),
                                       live(1, OpKind::kReacquire, kQueue, kBias + 0x20)};
  const std::string one = signature_of(deadlock_of(threads));
  threads.push_back(live(2, OpKind::kReacquire, kQueue, kBias + 0x20));
  EXPECT_EQ(signature_of(deadlock_of(threads)), one);
  threads[0].pending.pc = kBias + 0x30;
  EXPECT_NE(signature_of(deadlock_of(threads)), one);
  threads.erase(threads.begin());
  EXPECT_NE(signature_of(deadlock_of(threads)), "deadlock ") << "if all are idle, they are all there is";
}

// Where threads wait is told by the program's own code, not by the library that wraps the call for everybody.
TEST(StuckTest, AWrapperIsNotThePlace) {
  constexpr uint64_t kWrapper = kBias + 0x200010;
  record::RunRecord r = deadlock_of({live(0, OpKind::kReacquire, kMutex, kWrapper)});
  r.modules.push_back(
      module(kBias + 0x200000, kBias + 0x300000, kBias + 0x200000, "/usr/lib/x86_64-linux-gnu/libuv.so.1"));
  r.threads[0].stack = add_stack(r, {kWrapper, kBias + 0x30, kBias + 0x40});
  EXPECT_EQ(finding_of(r).place.module, "bank");
  EXPECT_EQ(finding_of(r).place.offset, 0x30u);
  EXPECT_EQ(signature_of(r).find("libuv"), std::string::npos) << signature_of(r);
  r.threads[0].stack = add_stack(r, {kWrapper});
  EXPECT_EQ(finding_of(r).place.module, "libuv.so.1") << "if there is nothing else";
}

}  // namespace
}  // namespace snarl::explain
