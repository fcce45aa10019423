// Barriers and semaphores, alone and against glibc's; timed locks of mutexes against glibc's.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <ctime>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kO = 1;

int arrive_at_barrier(ModelDriver& d, ThreadId t, uint64_t count) {
  d.model->publish(t, Op{.kind = OpKind::kBarrierWait, .object = kO, .value = count});
  const int result = d.model->perform(t);
  if (result != kBarrierSerial) d.model->publish(t, Op{.kind = OpKind::kBarrierPass, .object = kO, .value = count});
  return result;
}

TEST(Barrier, TheLastOfARoundLetsAllPass) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(arrive_at_barrier(d, a, 3), 0);
    EXPECT_EQ(arrive_at_barrier(d, b, 3), 0);
    EXPECT_FALSE(d.is_enabled(a) || d.is_enabled(b));
    EXPECT_EQ(arrive_at_barrier(d, kMainThread, 3), kBarrierSerial);
    EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(b));
    d.model->perform(a);
    d.model->perform(b);
  }
}

// The serial thread is back before anybody has left; the slow ones still belong to the first round.
TEST(Barrier, AThreadMayBeARoundAhead) {
  ModelDriver d;
  const ThreadId a = d.start();
  arrive_at_barrier(d, a, 2);
  EXPECT_EQ(arrive_at_barrier(d, kMainThread, 2), kBarrierSerial);
  EXPECT_EQ(arrive_at_barrier(d, kMainThread, 2), 0);
  EXPECT_FALSE(d.is_enabled(kMainThread));
  EXPECT_TRUE(d.is_enabled(a));
  d.model->perform(a);
  EXPECT_EQ(arrive_at_barrier(d, a, 2), kBarrierSerial);
  EXPECT_TRUE(d.is_enabled(kMainThread));
}

TEST(Barrier, OfOneAgainstGlibc) {
  pthread_barrier_t real;
  ASSERT_EQ(pthread_barrier_init(&real, nullptr, 1), 0);
  ModelDriver d;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(pthread_barrier_wait(&real), PTHREAD_BARRIER_SERIAL_THREAD);
    ASSERT_EQ(arrive_at_barrier(d, kMainThread, 1), PTHREAD_BARRIER_SERIAL_THREAD);
  }
  EXPECT_EQ(pthread_barrier_destroy(&real), 0);
}

bool arrive_at_semaphore(ModelDriver& d, ThreadId t, uint64_t value) {
  return d.model->publish(t, Op{.kind = OpKind::kSemWait, .object = kO, .value = value}) && d.is_enabled(t);
}

TEST(Semaphore, AUnitIsForOneOfThoseWhoWait) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start();
  EXPECT_FALSE(arrive_at_semaphore(d, a, 0));
  EXPECT_FALSE(arrive_at_semaphore(d, b, 0));
  d.go(kMainThread, OpKind::kSemPost, kO);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(b));
  EXPECT_EQ(d.model->perform(b), 0);
  EXPECT_FALSE(d.is_enabled(a));
  d.model->set_semaphore(kO, 1);
  EXPECT_TRUE(d.is_enabled(a));
  d.model->set_semaphore(kO, 0);  // a trywait that the program's own object granted
  EXPECT_FALSE(d.is_enabled(a));
}

// The hook's way, with a real semaphore: its value at the call goes in, its own answer comes out.
class SemaphorePair {
 public:
  explicit SemaphorePair(unsigned value) { sem_init(&real_, 0, value); }
  ~SemaphorePair() { sem_destroy(&real_); }

  uint64_t value() {
    int value = 0;
    sem_getvalue(&real_, &value);
    return static_cast<uint64_t>(value);
  }
  int expected(OpKind kind, const timespec& time) {
    const int result = kind == OpKind::kSemPost      ? sem_post(&real_)
                       : kind == OpKind::kSemTryWait ? sem_trywait(&real_)
                                                     : sem_timedwait(&real_, &time);
    return result == 0 ? 0 : errno;
  }
  int model(OpKind kind, uint64_t value) {
    const bool timed = kind == OpKind::kSemWait;
    d_.model->publish(kMainThread, Op{.kind = kind, .timed = timed, .object = kO, .value = value, .deadline = 0});
    if (!d_.is_enabled(kMainThread)) d_.model->perform(timer_of(kMainThread));
    return d_.model->perform(kMainThread);
  }

 private:
  sem_t real_;
  ModelDriver d_;
};

TEST(SemaphoreAgainstGlibc, TryWaitPostAndTimedWaitInThePast) {
  constexpr OpKind kCalls[] = {OpKind::kSemPost, OpKind::kSemTryWait, OpKind::kSemWait};
  Rng rng(5);
  for (int round = 0; round < 100; ++round) {
    SemaphorePair pair(static_cast<unsigned>(rng.below(3)));
    for (int i = 0; i < 300; ++i) {
      const OpKind kind = kCalls[rng.below(std::size(kCalls))];
      const uint64_t value = pair.value();
      ASSERT_EQ(pair.model(kind, value), pair.expected(kind, {.tv_sec = 1, .tv_nsec = 0}))
          << name_of(kind) << " " << value;
    }
  }
}

// What the hooks rely on: an invalid time is refused even if there is a unit.
TEST(SemaphoreAgainstGlibc, AnInvalidTimeIsAlwaysAnError) {
  for (unsigned value : {0u, 1u})
    for (long bad : {-1L, 1'000'000'000L})
      EXPECT_EQ(SemaphorePair(value).expected(OpKind::kSemWait, {.tv_sec = 1, .tv_nsec = bad}), EINVAL);
}

int real_type(MutexKind kind) {
  return kind == MutexKind::kNormal      ? PTHREAD_MUTEX_NORMAL
         : kind == MutexKind::kRecursive ? PTHREAD_MUTEX_RECURSIVE
                                         : PTHREAD_MUTEX_ERRORCHECK;
}

// Timed locks with a deadline in the past, and with an invalid one: the rules of runtime/hooks/mutex.cc.
void compare_timed_locks(MutexKind kind, uint64_t seed) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, real_type(kind));
  pthread_mutex_t real;
  pthread_mutex_init(&real, &attributes);
  Rng rng(seed);
  ModelDriver d;
  for (int i = 0; i < 20'000; ++i) {
    const bool held = d.model->owner(kO) != kNoThread;
    if (rng.below(2) == 0) {
      if (kind == MutexKind::kNormal && !held) continue;
      ASSERT_EQ(d.go(kMainThread, OpKind::kUnlock, kO, kind), pthread_mutex_unlock(&real));
      continue;
    }
    const bool valid = rng.below(3) != 0;
    const timespec time{.tv_sec = 1, .tv_nsec = valid ? 0 : -1};
    const int expected = pthread_mutex_timedlock(&real, &time);
    d.model->publish(kMainThread, Op{.kind = OpKind::kLock, .mutex = kind, .timed = true, .object = kO});
    const bool returns = d.is_enabled(kMainThread);
    if (!returns) d.model->perform(timer_of(kMainThread));
    const int result = d.model->perform(kMainThread);
    ASSERT_EQ(!returns && !valid ? EINVAL : result, expected) << "call " << i << (held ? ", held" : ", free");
  }
}

TEST(TimedLockAgainstGlibc, Normal) { compare_timed_locks(MutexKind::kNormal, 1); }
TEST(TimedLockAgainstGlibc, Recursive) { compare_timed_locks(MutexKind::kRecursive, 2); }
TEST(TimedLockAgainstGlibc, ErrorCheck) { compare_timed_locks(MutexKind::kErrorCheck, 3); }

// A spin lock is a normal mutex to the model, but for the unlock of a free one.
TEST(SpinAgainstGlibc, TryLock) {
  pthread_spinlock_t real;
  pthread_spin_init(&real, PTHREAD_PROCESS_PRIVATE);
  Rng rng(4);
  ModelDriver d;
  for (int i = 0; i < 20'000; ++i) {
    if (rng.below(2) == 0 && d.model->owner(kO) != kNoThread)
      ASSERT_EQ(d.go(kMainThread, OpKind::kUnlock, kO), pthread_spin_unlock(&real));
    else
      ASSERT_EQ(d.go(kMainThread, OpKind::kTryLock, kO), pthread_spin_trylock(&real));
  }
}

}  // namespace
}  // namespace snarl::model
