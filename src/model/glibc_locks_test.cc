// Read-write locks and semaphores against glibc's: random calls of two threads in a forced order.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "base/rng.h"
#include "model/glibc_actor.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kL = 1;

// Two threads and a read-write lock, real and modelled.
class Readers {
 public:
  Readers(int preference, uint64_t seed)
      : prefers_(preference == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP), rng_(seed) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, preference);
    pthread_rwlock_init(&real_, &attributes);
    for (ThreadId& slot : slots_) slot = d_.start();
  }

  int compared() const { return compared_; }

  // Left out: an unlock by a thread that has not locked (undefined).
  void one_call(int index) {
    constexpr OpKind kCalls[] = {OpKind::kReadLock, OpKind::kTryReadLock, OpKind::kWriteLock, OpKind::kTryWriteLock,
                                 OpKind::kRwUnlock, OpKind::kRwUnlock,    OpKind::kRwUnlock};
    const OpKind kind = kCalls[rng_.below(std::size(kCalls))];
    const size_t who = rng_.below(2);
    if (kind == OpKind::kRwUnlock && held_[who] == 0) return;
    const Op op{.kind = kind, .prefers_writers = prefers_, .object = kL};
    const int modelled = d_.go_or_time_out(slots_[who], op);
    const int real = actors_[who].call([this, kind] { return call(kind); });
    ASSERT_EQ(modelled, real) << name_of(kind) << " by " << who << ", call " << index;
    ++compared_;
    if (real == 0) held_[who] += kind == OpKind::kRwUnlock ? -1 : 1;
  }

 private:
  int call(OpKind kind) {
    switch (kind) {
      case OpKind::kReadLock: return pthread_rwlock_timedrdlock(&real_, &kPast);
      case OpKind::kTryReadLock: return pthread_rwlock_tryrdlock(&real_);
      case OpKind::kWriteLock: return pthread_rwlock_timedwrlock(&real_, &kPast);
      case OpKind::kTryWriteLock: return pthread_rwlock_trywrlock(&real_);
      default: return pthread_rwlock_unlock(&real_);
    }
  }

  bool prefers_;
  Rng rng_;
  ModelDriver d_;
  pthread_rwlock_t real_;
  Actor actors_[2];
  ThreadId slots_[2] = {};
  int held_[2] = {};
  int compared_ = 0;
};

class RwLocksAgainstGlibc : public testing::TestWithParam<int> {};

TEST_P(RwLocksAgainstGlibc, TwoThreads) {
  Readers readers(GetParam(), static_cast<uint64_t>(GetParam()) + 7);
  for (int i = 0; i < 5000 && !HasFatalFailure(); ++i) readers.one_call(i);
  EXPECT_GT(readers.compared(), 2500);
}

INSTANTIATE_TEST_SUITE_P(Preferences, RwLocksAgainstGlibc,
                         testing::Values(PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
                                         PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));

int errno_of(int result) { return result == 0 ? 0 : errno; }

int call_semaphore(sem_t& semaphore, uint64_t way) {
  switch (way) {
    case 0: return errno_of(sem_timedwait(&semaphore, &kPast));
    case 1: return errno_of(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &kPast));
    case 2: return errno_of(sem_trywait(&semaphore));
    default: return errno_of(sem_post(&semaphore));
  }
}

// The program's own object knows the value, so the model is told as the hooks do it.
TEST(SemaphoresAgainstGlibc, TwoThreads) {
  ModelDriver d;
  const ThreadId slots[2] = {d.start(), d.start()};
  Actor actors[2];
  sem_t real;
  sem_init(&real, 0, 1);
  Rng rng(5);
  uint64_t value = 1;
  for (int i = 0; i < 8000; ++i) {
    const size_t who = rng.below(2);
    const uint64_t way = rng.below(5);
    const OpKind kind = way < 2 ? OpKind::kSemWait : way == 2 ? OpKind::kSemTryWait : OpKind::kSemPost;
    const int modelled = d.go_or_time_out(slots[who], Op{.kind = kind, .object = kL, .value = value});
    ASSERT_EQ(modelled, actors[who].call([&] { return call_semaphore(real, way); })) << name_of(kind) << ", call " << i;
    if (modelled == 0) value = kind == OpKind::kSemPost ? value + 1 : value - 1;
    int real_value = -1;
    ASSERT_EQ(sem_getvalue(&real, &real_value), 0);
    ASSERT_EQ(static_cast<uint64_t>(real_value), value);
  }
}

// One waits, the other posts: the unit is the waiting one's.
TEST(SemaphoresAgainstGlibc, APostLetsAWaiterGoOn) {
  for (int i = 0; i < 500; ++i) {
    ModelDriver d;
    const ThreadId waiter = d.start();
    Actor actor;
    sem_t real;
    sem_init(&real, 0, 0);
    actor.begin([&] { return errno_of(sem_wait(&real)); });
    d.model->publish(waiter, Op{.kind = OpKind::kSemWait, .object = kL});
    EXPECT_FALSE(d.is_enabled(waiter));
    ASSERT_EQ(d.go(kMainThread, OpKind::kSemPost, kL), errno_of(sem_post(&real)));
    ASSERT_TRUE(d.is_enabled(waiter));
    EXPECT_EQ(d.model->perform(waiter), actor.result());
  }
}

}  // namespace
}  // namespace snarl::model
