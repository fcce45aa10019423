#include "explain/diagnose/wakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "explain/diagnose/test_records.h"

namespace snarl::explain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kC = 0x10, kM = 0x20;

Event step(uint32_t thread, OpKind kind, uint64_t object = 0, uint64_t value = 0, Reason switched = Reason::kNone) {
  Event e = event(1, thread, kind, object, 0, switched);
  e.value = value;
  return e;
}

std::vector<Wake> told(const std::vector<Event>& events, bool complete = true) { return wakes_of(events, complete); }

TEST(Wakes, ASignalWakesTheFirstOfThoseThatWaitedThatIsGranted) {
  const std::vector<Wake> w =
      told({step(1, OpKind::kWait, kC, kM), step(2, OpKind::kWait, kC, kM), step(3, OpKind::kSignal, kC),
            step(2, OpKind::kReacquire, kC, kM), step(3, OpKind::kSignal, kC), step(1, OpKind::kReacquire, kC, kM)});
  EXPECT_THAT(w[2].threads, ElementsAre(2));
  EXPECT_THAT(w[4].threads, ElementsAre(1));
}

TEST(Wakes, ABroadcastWakesAllThatWaitedAndNobodyWhoCameLater) {
  const std::vector<Wake> w =
      told({step(1, OpKind::kWait, kC, kM), step(2, OpKind::kWait, kC, kM), step(3, OpKind::kBroadcast, kC),
            step(4, OpKind::kWait, kC, kM), step(2, OpKind::kReacquire, kC, kM), step(1, OpKind::kReacquire, kC, kM)});
  EXPECT_THAT(w[2].threads, ElementsAre(2, 1));
  EXPECT_FALSE(w[2].nobody);
}

TEST(Wakes, NobodyWaited) {
  EXPECT_TRUE(told({step(1, OpKind::kSignal, kC)})[0].nobody);
  EXPECT_TRUE(told({step(1, OpKind::kBroadcast, kC), step(2, OpKind::kWait, kC, kM)})[0].nobody);
  EXPECT_FALSE(told({step(1, OpKind::kSignal, kC)}, false)[0].nobody) << "the wait may be among what was lost";
  EXPECT_FALSE(told({step(1, OpKind::kUnlock, kM)})[0].nobody);
}

TEST(Wakes, AWaitThatTimedOutWasWokenByNobody) {
  std::vector<Event> events{step(1, OpKind::kWait, kC, kM), step(1, OpKind::kReacquire, kC, kM),
                            step(2, OpKind::kSignal, kC)};
  events[1].result = ETIMEDOUT;
  const std::vector<Wake> w = told(events);
  EXPECT_TRUE(w[2].nobody);
}

TEST(Wakes, AFutexWaitThatReturnedAtOnceWaitsNoMore) {
  const std::vector<Wake> w =
      told({step(1, OpKind::kFutexWait, kC), step(1, OpKind::kUnlock, kM), step(2, OpKind::kFutexWake, kC, 1),
            step(3, OpKind::kFutexWait, kC), step(2, OpKind::kFutexWake, kC, 1), step(3, OpKind::kFutexWoken, kC)});
  EXPECT_TRUE(w[2].nobody);
  EXPECT_THAT(w[4].threads, ElementsAre(3));
}

TEST(Wakes, WhatFreesALockOrEndsAThreadLetsTheOneGoOnThatWasStopped) {
  const std::vector<Wake> w =
      told({step(0, OpKind::kCreate, 0, 1), step(1, OpKind::kStart), step(1, OpKind::kLock, kM),
            step(2, OpKind::kYield), step(1, OpKind::kUnlock, kM, 0, Reason::kBlocked), step(2, OpKind::kLock, kM),
            step(0, OpKind::kYield), step(1, OpKind::kExit, 0, 0, Reason::kBlocked), step(0, OpKind::kJoin, 0, 1)});
  EXPECT_THAT(w[0].threads, ElementsAre(1));
  EXPECT_THAT(w[4].threads, ElementsAre(2));
  EXPECT_THAT(w[7].threads, ElementsAre(0));
  EXPECT_THAT(w[2].threads, IsEmpty());
}

}  // namespace
}  // namespace snarl::explain
