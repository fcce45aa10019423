#include "model/mutex.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr MutexKind kNormal = MutexKind::kNormal;
constexpr MutexKind kRecursive = MutexKind::kRecursive;
constexpr MutexKind kErrorCheck = MutexKind::kErrorCheck;
constexpr ThreadId kA = 3;
constexpr ThreadId kB = 5;

TEST(Mutex, NormalBlocksItsOwnOwner) {
  Mutex m;
  EXPECT_EQ(m.lock(kNormal, kA, 0), 0);
  EXPECT_FALSE(m.lock_returns(kNormal, kA));
  EXPECT_FALSE(m.lock_returns(kNormal, kB));
  EXPECT_EQ(m.trylock(kNormal, kA, 0), EBUSY);
  EXPECT_EQ(m.trylock(kNormal, kB, 0), EBUSY);
  EXPECT_EQ(m.unlock(kNormal, kB), 0);  // glibc does not look at which thread unlocks
  EXPECT_TRUE(m.is_free());
}

TEST(Mutex, RecursiveCounts) {
  Mutex m;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(m.lock_returns(kRecursive, kA));
    EXPECT_EQ(i % 2 ? m.lock(kRecursive, kA, 0) : m.trylock(kRecursive, kA, 0), 0);
  }
  EXPECT_FALSE(m.lock_returns(kRecursive, kB));
  EXPECT_EQ(m.trylock(kRecursive, kB, 0), EBUSY);
  EXPECT_EQ(m.unlock(kRecursive, kB), EPERM);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(m.is_free());
    EXPECT_EQ(m.unlock(kRecursive, kA), 0);
  }
  EXPECT_TRUE(m.is_free());
  EXPECT_EQ(m.unlock(kRecursive, kA), EPERM);
}

TEST(Mutex, ErrorCheckSaysWhatIsWrong) {
  Mutex m;
  EXPECT_EQ(m.unlock(kErrorCheck, kA), EPERM);
  EXPECT_EQ(m.lock(kErrorCheck, kA, 0), 0);
  EXPECT_TRUE(m.lock_returns(kErrorCheck, kA));
  EXPECT_EQ(m.lock(kErrorCheck, kA, 0), EDEADLK);
  EXPECT_EQ(m.trylock(kErrorCheck, kA, 0), EBUSY);
  EXPECT_EQ(m.trylock(kErrorCheck, kB, 0), EBUSY);
  EXPECT_FALSE(m.lock_returns(kErrorCheck, kB));
  EXPECT_EQ(m.unlock(kErrorCheck, kB), EPERM);
  EXPECT_EQ(m.unlock(kErrorCheck, kA), 0);
  EXPECT_TRUE(m.is_free());
}

TEST(Mutex, KeepsThePlaceOfTheOutermostLock) {
  Mutex m;
  m.lock(kRecursive, kA, 11);
  m.lock(kRecursive, kA, 12);
  EXPECT_EQ(m.pc, 11u);
}

// One real glibc mutex.
class Real {
 public:
  explicit Real(MutexKind kind) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, kind == kNormal      ? PTHREAD_MUTEX_NORMAL
                                     : kind == kRecursive ? PTHREAD_MUTEX_RECURSIVE
                                                          : PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex_, &attr);
  }
  int call(OpKind kind) {
    switch (kind) {
      case OpKind::kLock: return pthread_mutex_lock(&mutex_);
      case OpKind::kTryLock: return pthread_mutex_trylock(&mutex_);
      case OpKind::kUnlock: return pthread_mutex_unlock(&mutex_);
      default: return pthread_mutex_destroy(&mutex_);
    }
  }

 private:
  pthread_mutex_t mutex_;
};

// A lock of the owner's own normal mutex hangs; an unlock of a normal mutex that is free
// is undefined, as is any call after a successful destroy.
void compare_with_glibc(MutexKind kind, uint64_t seed) {
  constexpr OpKind kCalls[] = {OpKind::kLock,   OpKind::kLock,   OpKind::kTryLock,
                               OpKind::kUnlock, OpKind::kUnlock, OpKind::kMutexDestroy};
  Rng rng(seed);
  ModelDriver driver;
  for (int mutex = 1, calls = 0; calls < 30'000; ++mutex) {
    Real real(kind);
    const uint64_t object = static_cast<uint64_t>(mutex);
    for (OpKind call = OpKind::kNone; calls < 30'000; ++calls) {
      call = kCalls[rng.below(std::size(kCalls))];
      const bool held = driver.model->owner(object) != kNoThread;
      if (kind == kNormal && call == (held ? OpKind::kLock : OpKind::kUnlock)) continue;
      const int expected = real.call(call);
      ASSERT_EQ(driver.go(kMainThread, call, object, kind), expected) << name_of(call) << ", call " << calls;
      if (call == OpKind::kMutexDestroy && expected == 0) break;
    }
    while (driver.model->owner(object) != kNoThread) {  // a destructor of a held mutex would be undefined
      ASSERT_EQ(real.call(OpKind::kUnlock), 0);
      ASSERT_EQ(driver.go(kMainThread, OpKind::kUnlock, object, kind), 0);
    }
  }
}

TEST(MutexAgainstGlibc, Normal) { compare_with_glibc(kNormal, 1); }
TEST(MutexAgainstGlibc, Recursive) { compare_with_glibc(kRecursive, 2); }
TEST(MutexAgainstGlibc, ErrorCheck) { compare_with_glibc(kErrorCheck, 3); }

// The same with two threads: the other one, a real thread, makes one call that cannot block.
void compare_other_thread(MutexKind kind, bool held, OpKind call) {
  struct Call {
    Real real;
    OpKind kind;
    int result = 0;
  } other{Real(kind), call};
  ModelDriver driver;
  const ThreadId t = driver.start();
  if (held) {
    other.real.call(OpKind::kLock);
    driver.go(kMainThread, OpKind::kLock, 1, kind);
  }
  pthread_t thread;
  const auto body = [](void* p) -> void* {
    Call* c = static_cast<Call*>(p);
    c->result = c->real.call(c->kind);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, body, &other), 0);
  pthread_join(thread, nullptr);
  EXPECT_EQ(driver.go(t, call, 1, kind), other.result);
  const bool free_now = driver.go(kMainThread, OpKind::kTryLock, 1, kind) == 0;
  EXPECT_EQ(free_now, other.real.call(OpKind::kTryLock) == 0);
}

TEST(MutexAgainstGlibc, CallsOfAnotherThread) {
  for (MutexKind kind : {kNormal, kRecursive, kErrorCheck}) {
    SCOPED_TRACE(static_cast<int>(kind));
    compare_other_thread(kind, true, OpKind::kTryLock);
    compare_other_thread(kind, true, OpKind::kUnlock);
    compare_other_thread(kind, false, OpKind::kTryLock);
    compare_other_thread(kind, false, OpKind::kLock);
    if (kind != kNormal) compare_other_thread(kind, false, OpKind::kUnlock);
  }
}

}  // namespace
}  // namespace snarl::model
