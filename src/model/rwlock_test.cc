// Read-write locks: the rules, the preference for writers, and the same returns as glibc's.
#include "model/rwlock.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kL = 1;
constexpr ThreadId kA = 3, kB = 5;
constexpr int kBlocks = ModelDriver::kBlocks;

bool arrive_preferring(ModelDriver& d, ThreadId t, OpKind kind, bool writers) {
  return d.model->publish(t, Op{.kind = kind, .prefers_writers = writers, .object = kL}) && d.is_enabled(t);
}

TEST(RwLock, AWriterThatLocksAgainIsToldSo) {
  RwLock lock;
  EXPECT_EQ(lock.write_lock(kA, 0), 0);
  EXPECT_TRUE(lock.write_lock_returns(kA) && lock.read_lock_returns(kA, true));
  EXPECT_EQ(lock.write_lock(kA, 0), EDEADLK);
  EXPECT_EQ(lock.read_lock(kA, 0), EDEADLK);
  EXPECT_FALSE(lock.write_lock_returns(kB) || lock.read_lock_returns(kB, false));
  EXPECT_EQ(lock.try_read_lock(kA, 0, false), EBUSY);
  EXPECT_EQ(lock.try_write_lock(kA, 0), EBUSY);
  lock.unlock(kB);
  EXPECT_FALSE(lock.is_free()) << "it is not kB's";
  lock.unlock(kA);
  EXPECT_TRUE(lock.is_free());
}

TEST(RwLock, ReadersShareAndCount) {
  RwLock lock;
  EXPECT_EQ(lock.read_lock(kA, 0), 0);
  EXPECT_EQ(lock.read_lock(kA, 0), 0);
  EXPECT_EQ(lock.try_read_lock(kB, 0, false), 0);
  EXPECT_EQ(lock.try_read_lock(kB, 0, true), EBUSY) << "a writer waits, and comes first";
  EXPECT_FALSE(lock.write_lock_returns(kA)) << "an upgrade waits for itself";
  EXPECT_EQ(lock.try_write_lock(kA, 0), EBUSY);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(lock.is_free());
    lock.unlock(kA);
  }
  EXPECT_TRUE(lock.is_free());
}

TEST(RwLockModel, UnlockOfTheLastReaderEnablesWritersAndTheFirstOfThemKeepsTheOthersOut) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start();
  d.go(kMainThread, OpKind::kReadLock, kL);
  d.go(kMainThread, OpKind::kReadLock, kL);
  EXPECT_FALSE(d.arrive(a, OpKind::kWriteLock, kL));
  EXPECT_FALSE(d.arrive(b, OpKind::kWriteLock, kL));
  d.go(kMainThread, OpKind::kRwUnlock, kL);
  EXPECT_FALSE(d.is_enabled(a));
  d.go(kMainThread, OpKind::kRwUnlock, kL);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(b));
  d.model->perform(b);
  EXPECT_FALSE(d.is_enabled(a));
  EXPECT_EQ(d.go(kMainThread, OpKind::kReadLock, kL), kBlocks);
  d.go(b, OpKind::kRwUnlock, kL);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(kMainThread));
}

// Without the preference a reader passes a waiting writer, which glibc's default does as well.
TEST(RwLockModel, AWaitingWriterHoldsReadersBackOnlyIfItIsPreferred) {
  for (bool prefers : {false, true}) {
    ModelDriver d;
    const ThreadId writer = d.start(), reader = d.start();
    d.go(kMainThread, OpKind::kReadLock, kL);
    EXPECT_FALSE(d.arrive(writer, OpKind::kWriteLock, kL));
    EXPECT_EQ(arrive_preferring(d, reader, OpKind::kReadLock, prefers), !prefers);
    d.go(kMainThread, OpKind::kRwUnlock, kL);
    EXPECT_TRUE(d.is_enabled(writer));
    d.model->perform(writer);
    EXPECT_FALSE(d.is_enabled(reader));
    d.go(writer, OpKind::kRwUnlock, kL);
    EXPECT_TRUE(d.is_enabled(reader));
  }
}

TEST(RwLockModel, AWriterThatComesLaterHoldsAPendingReaderBack) {
  ModelDriver d;
  const ThreadId writer = d.start(), reader = d.start();
  d.go(kMainThread, OpKind::kReadLock, kL);
  EXPECT_TRUE(arrive_preferring(d, reader, OpKind::kReadLock, true));
  d.arrive(writer, OpKind::kWriteLock, kL);
  EXPECT_FALSE(d.is_enabled(reader));
  d.go(kMainThread, OpKind::kRwUnlock, kL);
  d.model->perform(writer);
  d.go(writer, OpKind::kRwUnlock, kL);
  EXPECT_TRUE(d.is_enabled(reader));
}

TEST(RwLockModel, AWriterThatTimesOutLetsReadersGoOn) {
  ModelDriver d;
  const ThreadId writer = d.start(), reader = d.start();
  d.go(kMainThread, OpKind::kReadLock, kL);
  d.model->publish(writer, Op{.kind = OpKind::kWriteLock, .timed = true, .object = kL, .deadline = 5});
  EXPECT_FALSE(arrive_preferring(d, reader, OpKind::kReadLock, true));
  d.model->perform(timer_of(writer));
  EXPECT_EQ(d.model->perform(writer), ETIMEDOUT);
  EXPECT_TRUE(d.is_enabled(reader));
  EXPECT_EQ(d.model->perform(reader), 0);
}

// Its slot goes to another thread, which is not the writer.
TEST(RwLockModel, WhatAThreadLeavesLockedStaysLocked) {
  ModelDriver d;
  const ThreadId a = d.start(kMainThread, true);
  d.go(a, OpKind::kWriteLock, kL);
  d.exit(a);
  const ThreadId b = d.start();
  ASSERT_EQ(a, b);
  EXPECT_EQ(d.go(b, OpKind::kWriteLock, kL), kBlocks);
  EXPECT_EQ(d.go(kMainThread, OpKind::kTryReadLock, kL), EBUSY);
}

// Memory that is used again for another lock.
TEST(RwLockModel, InitForgetsWhoHeldIt) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kReadLock, kL);
  EXPECT_FALSE(d.arrive(kMainThread, OpKind::kWriteLock, kL));
  d.go(a, OpKind::kRwInit, kL);
  EXPECT_TRUE(d.is_enabled(kMainThread));
}

int call_real(pthread_rwlock_t& lock, OpKind kind) {
  switch (kind) {
    case OpKind::kReadLock: return pthread_rwlock_rdlock(&lock);
    case OpKind::kTryReadLock: return pthread_rwlock_tryrdlock(&lock);
    case OpKind::kWriteLock: return pthread_rwlock_wrlock(&lock);
    case OpKind::kTryWriteLock: return pthread_rwlock_trywrlock(&lock);
    default: return pthread_rwlock_unlock(&lock);
  }
}

pthread_rwlock_t real_lock(bool prefers) {
  pthread_rwlock_t lock;
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  if (prefers) pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  return lock;
}

// Leaves out what hangs and what is undefined (an unlock of a free lock).
void compare_with_glibc(bool prefers, int calls, uint64_t seed) {
  constexpr OpKind kCalls[] = {OpKind::kReadLock,     OpKind::kTryReadLock, OpKind::kWriteLock,
                               OpKind::kTryWriteLock, OpKind::kRwUnlock,    OpKind::kRwUnlock};
  Rng rng(seed);
  ModelDriver d;
  pthread_rwlock_t real = real_lock(prefers);
  bool writing = false;
  int held = 0, compared = 0;
  for (int i = 0; i < calls; ++i) {
    const OpKind call = kCalls[rng.below(std::size(kCalls))];
    if (call == OpKind::kRwUnlock && held == 0) continue;
    if (call == OpKind::kWriteLock && held > 0 && !writing) continue;
    const int expected = call_real(real, call);
    ASSERT_TRUE(arrive_preferring(d, kMainThread, call, prefers));
    ASSERT_EQ(d.model->perform(kMainThread), expected) << name_of(call) << ", call " << i;
    ++compared;
    if (expected != 0) continue;
    held += call == OpKind::kRwUnlock ? -1 : 1;
    writing = held == 1 && (call == OpKind::kWriteLock || call == OpKind::kTryWriteLock);
  }
  EXPECT_GT(compared, calls / 2);
}

TEST(RwLockAgainstGlibc, TheDefault) { compare_with_glibc(false, 30'000, 1); }
TEST(RwLockAgainstGlibc, PreferringWriters) { compare_with_glibc(true, 30'000, 2); }

TEST(RwLockAgainstGlibc, CallsOfAnotherThread) {
  for (OpKind first : {OpKind::kReadLock, OpKind::kWriteLock})
    for (OpKind second : {OpKind::kTryReadLock, OpKind::kTryWriteLock, OpKind::kRwUnlock}) {
      if (first == OpKind::kWriteLock && second == OpKind::kRwUnlock)
        continue;  // undefined: glibc takes it for a reader's
      pthread_rwlock_t real = real_lock(false);
      ModelDriver d;
      const ThreadId other = d.start();
      ASSERT_EQ(call_real(real, first), d.go(kMainThread, first, kL));
      int result = -1;
      std::thread([&] { result = call_real(real, second); }).join();
      EXPECT_EQ(d.go(other, second, kL), result) << name_of(first) << " " << name_of(second);
      EXPECT_EQ(d.go(kMainThread, OpKind::kTryWriteLock, kL), call_real(real, OpKind::kTryWriteLock));
    }
}

// A writer waits: glibc's answers to a reader who only tries.
TEST(RwLockAgainstGlibc, TryingWhileAWriterWaits) {
  for (bool prefers : {false, true}) {
    pthread_rwlock_t real = real_lock(prefers);
    ModelDriver d;
    const ThreadId writer = d.start();
    call_real(real, OpKind::kReadLock);
    d.go(kMainThread, OpKind::kReadLock, kL);
    std::thread waits([&] {
      call_real(real, OpKind::kWriteLock);
      call_real(real, OpKind::kRwUnlock);
    });
    constexpr unsigned kWriterWaits = 2;  // PTHREAD_RWLOCK_WRLOCKED
    while ((__atomic_load_n(&real.__data.__readers, __ATOMIC_SEQ_CST) & kWriterWaits) == 0) std::this_thread::yield();
    d.arrive(writer, OpKind::kWriteLock, kL);
    const int expected = call_real(real, OpKind::kTryReadLock);
    arrive_preferring(d, kMainThread, OpKind::kTryReadLock, prefers);
    EXPECT_EQ(d.model->perform(kMainThread), expected);
    EXPECT_EQ(expected, prefers ? EBUSY : 0);
    if (expected == 0) call_real(real, OpKind::kRwUnlock);
    call_real(real, OpKind::kRwUnlock);
    waits.join();
  }
}

}  // namespace
}  // namespace snarl::model
