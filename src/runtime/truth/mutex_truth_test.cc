// The witness is libc itself: what it makes of the same mutex.
#include "runtime/truth/mutex_truth.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "runtime/state/test_run.h"

namespace snarl::runtime {
namespace {

bool same(const pthread_mutex_t& a, const pthread_mutex_t& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

pthread_mutex_t made(int type, int protocol = PTHREAD_PRIO_NONE, int robust = PTHREAD_MUTEX_STALLED) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return mutex;
}

class MutexTruth : public testing::Test {
 protected:
  MutexTruth() {
    run_.main().tid = gettid();
    writes_mutexes = true;
  }
  ~MutexTruth() override { writes_mutexes = false; }
  Thread& self() { return run_.main(); }

  TestRun run_;
};

TEST_F(MutexTruth, AnOrdinaryOneIsTakenAsLibcDoes) {
  pthread_mutex_t ours = PTHREAD_MUTEX_INITIALIZER, libcs = PTHREAD_MUTEX_INITIALIZER;
  ASSERT_TRUE(take_ordinary(&ours, self()));
  pthread_mutex_lock(&libcs);
  EXPECT_TRUE(same(ours, libcs));
  EXPECT_TRUE(mutex_bits::is_locked(&ours));
  ASSERT_TRUE(give_back_ordinary(&ours, self()));
  pthread_mutex_unlock(&libcs);
  EXPECT_TRUE(same(ours, libcs));
  EXPECT_FALSE(mutex_bits::is_locked(&ours));
}

TEST_F(MutexTruth, TheRestIsLeftToLibc) {
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  EXPECT_FALSE(give_back_ordinary(&plain, self())) << "it is not locked";
  ASSERT_TRUE(take_ordinary(&plain, self()));
  EXPECT_FALSE(take_ordinary(&plain, self())) << "it is locked";
  Thread other = self();
  ++other.tid;
  EXPECT_FALSE(give_back_ordinary(&plain, other)) << "it is somebody else's";
  ASSERT_TRUE(give_back_ordinary(&plain, self()));
  for (const int type : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutex_t mutex = made(type);
    EXPECT_FALSE(take_ordinary(&mutex, self()));
  }
  writes_mutexes = false;
  EXPECT_FALSE(take_ordinary(&plain, self()));
}

TEST_F(MutexTruth, EveryKindSaysWhetherItIsLocked) {
  for (const int type : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK})
    for (const int protocol : {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT})
      for (const int robust : {PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST}) {
        pthread_mutex_t mutex = made(type, protocol, robust);
        EXPECT_FALSE(mutex_bits::is_locked(&mutex));
        ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
        EXPECT_TRUE(mutex_bits::is_locked(&mutex));
        ASSERT_EQ(pthread_mutex_unlock(&mutex), 0);
        EXPECT_FALSE(mutex_bits::is_locked(&mutex));
        const bool checks = protocol == PTHREAD_PRIO_INHERIT || robust == PTHREAD_MUTEX_ROBUST;
        EXPECT_EQ((traits_of(&mutex) & kChecksOwner) != 0, checks);
        EXPECT_EQ((traits_of(&mutex) & kRobust) != 0, robust == PTHREAD_MUTEX_ROBUST);
      }
}

TEST_F(MutexTruth, KindsAreThoseOfTheAttributes) {
  const pthread_mutex_t normal = made(PTHREAD_MUTEX_NORMAL), recursive = made(PTHREAD_MUTEX_RECURSIVE),
                        checking = made(PTHREAD_MUTEX_ERRORCHECK);
  EXPECT_EQ(kind_of(&normal), MutexKind::kNormal);
  EXPECT_EQ(kind_of(&recursive), MutexKind::kRecursive);
  EXPECT_EQ(kind_of(&checking), MutexKind::kErrorCheck);
}

TEST_F(MutexTruth, TheModelLearnsOfALockThatItDidNotSee) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const auto address = reinterpret_cast<uint64_t>(&mutex);
  pthread_mutex_lock(&mutex);
  reconcile(&mutex);
  EXPECT_EQ(run_.model().owner(address), kMainThread);
  reconcile(&mutex);
  EXPECT_EQ(run_.model().owner(address), kMainThread);
  pthread_mutex_unlock(&mutex);
  reconcile(&mutex);
  EXPECT_EQ(run_.model().owner(address), kNoThread) << "memory that held a locked mutex has become another";
}

}  // namespace
}  // namespace snarl::runtime
