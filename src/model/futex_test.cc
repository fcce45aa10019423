// Futexes with bit sets and requeueing.
#include <gtest/gtest.h>

#include <cerrno>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kF = 1, kG = 2;

class Futex : public testing::Test {
 protected:
  void wait(ThreadId t, uint32_t bits = 0, uint64_t deadline = 0) {
    d.model->enqueue(t, kF);
    d.model->publish(t, Op{.kind = OpKind::kFutexWoken,
                           .timed = deadline != 0,
                           .object = kF,
                           .value = futex_value(0, bits),
                           .deadline = deadline});
  }
  int wake(uint64_t object, uint32_t most, uint32_t bits = 0) {
    d.model->publish(kMainThread, Op{.kind = OpKind::kFutexWake, .object = object, .value = futex_value(most, bits)});
    return d.model->perform(kMainThread);
  }
  int requeue(uint32_t wakes, uint32_t moves) {
    d.model->publish(kMainThread,
                     Op{.kind = OpKind::kFutexRequeue, .object = kF, .second = kG, .value = futex_value(wakes, moves)});
    return d.model->perform(kMainThread);
  }
  int enabled() const { return d.is_enabled(a) + d.is_enabled(b) + d.is_enabled(c); }
  uint16_t waiters(uint64_t object) const {
    uint16_t count = 0;
    d.model->objects().for_each([&](const Object& o) { count = o.address == object ? o.queue.waiters : count; });
    return count;
  }

  // Performs the return of all threads that may return; returns how many.
  int let_go(ThreadSet& waiting) {
    int count = 0;
    for (const ThreadId t : {a, b, c}) {
      if (!waiting.has(t) || !d.is_enabled(t)) continue;
      count += d.model->perform(t) == 0;
      waiting.remove(t);
    }
    return count;
  }

  ModelDriver d;
  ThreadId a = d.start(), b = d.start(), c = d.start();
};

TEST_F(Futex, AWakeForBitsWakesThoseWhoWaitForThem) {
  wait(a, 1);
  wait(b, 2);
  wait(c, 3);
  EXPECT_EQ(wake(kF, 100, 4), 0);
  EXPECT_EQ(wake(kF, 100, 2), 2);
  EXPECT_TRUE(!d.is_enabled(a) && d.is_enabled(b) && d.is_enabled(c));
  EXPECT_EQ(d.model->perform(b), 0);
  EXPECT_EQ(wake(kF, 100), 1) << "no bits: all of them";
  EXPECT_TRUE(d.is_enabled(a));
}

TEST_F(Futex, OfThoseWhoWaitForBitsTheFirstIsWoken) {
  wait(b, 1);
  wait(a, 1);
  EXPECT_EQ(wake(kF, 1, 1), 1);
  EXPECT_TRUE(d.is_enabled(b) && !d.is_enabled(a));
}

TEST_F(Futex, WithoutBitsWhoWakesIsAChoice) {
  wait(a);
  wait(b);
  EXPECT_EQ(wake(kF, 1), 1);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(b));
  d.model->perform(b);
  EXPECT_FALSE(d.is_enabled(a));
}

TEST_F(Futex, RequeueWakesSomeAndMovesTheOthers) {
  wait(a);
  wait(b);
  wait(c);
  EXPECT_EQ(requeue(1, 100), 3);
  EXPECT_EQ(waiters(kF), 1);
  EXPECT_EQ(waiters(kG), 2);
  EXPECT_EQ(enabled(), 1);
  EXPECT_EQ(wake(kF, 100), 0) << "the one who is left has been woken";
  EXPECT_EQ(wake(kG, 100), 2);
  EXPECT_EQ(enabled(), 3);
}

TEST_F(Futex, RequeueMovesNoMoreThanItIsTold) {
  wait(a);
  wait(b);
  wait(c);
  EXPECT_EQ(requeue(0, 1), 1);
  EXPECT_EQ(waiters(kF), 2);
  EXPECT_EQ(waiters(kG), 1);
  EXPECT_EQ(enabled(), 0);
  EXPECT_EQ(requeue(0, 0), 0);
}

TEST_F(Futex, AnEarlierWakeThereIsNotForTheMoved) {
  d.model->enqueue(c, kG);
  d.model->publish(c, Op{.kind = OpKind::kFutexWoken, .object = kG});
  EXPECT_EQ(wake(kG, 1), 1);
  wait(a);
  EXPECT_EQ(requeue(0, 1), 1);
  EXPECT_TRUE(d.is_enabled(c) && !d.is_enabled(a));
}

TEST_F(Futex, WhoWasMovedCanStillTimeOut) {
  wait(a, 0, 10);
  EXPECT_EQ(requeue(0, 1), 1);
  d.model->perform(timer_of(a));
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
  EXPECT_EQ(waiters(kG), 0);
}

// Whatever is woken and moved: as many are woken as the calls said, and the rest can all be woken in the end.
TEST_F(Futex, NobodyIsLostInRandomSequences) {
  Rng rng(1);
  for (int round = 0; round < 20'000; ++round) {
    const bool bits = rng.below(2) == 0;
    int woken = 0;
    for (const ThreadId t : {a, b, c}) wait(t, bits ? 1 + static_cast<uint32_t>(rng.below(3)) : 0);
    for (int i = 0; i < 3; ++i) {
      const auto most = static_cast<uint32_t>(rng.below(3));
      const uint64_t object = 1 + rng.below(2);
      if (rng.below(2) == 0) {
        woken += wake(object, most, bits ? 1 + static_cast<uint32_t>(rng.below(3)) : 0);
      } else {
        const int before = waiters(kG), all = requeue(most, 1);
        woken += all - (waiters(kG) - before);
      }
    }
    ThreadSet waiting;
    for (const ThreadId t : {a, b, c}) waiting.add(t);
    EXPECT_EQ(let_go(waiting), woken) << "round " << round;
    EXPECT_EQ(wake(kF, 100) + wake(kG, 100), waiting.size());
    let_go(waiting);
    EXPECT_TRUE(waiting.empty());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace snarl::model
