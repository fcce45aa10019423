// Threads in the model: create, join, detach, exit; slots, names, ordinals.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <set>

#include "base/hash.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr int kBlocks = ModelDriver::kBlocks;

TEST(Threads, JoinWaitsForTheEnd) {
  ModelDriver d;
  const ThreadId t = d.start();
  EXPECT_FALSE(d.arrive_on(kMainThread, OpKind::kJoin, t));
  EXPECT_FALSE(d.is_enabled(kMainThread));
  d.model->forget_gained();
  d.exit(t);
  EXPECT_TRUE(d.is_enabled(kMainThread));
  EXPECT_TRUE(d.model->gained().has(kMainThread));
  EXPECT_EQ(d.model->perform(kMainThread), 0);
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, t), ESRCH);
  EXPECT_EQ(d.step(kMainThread, OpKind::kDetach, t), ESRCH);
}

TEST(Threads, JoinErrors) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  const ThreadId detached = d.start(kMainThread, true);
  EXPECT_EQ(d.step(a, OpKind::kJoin, a), EDEADLK);
  EXPECT_EQ(d.step(a, OpKind::kJoin, detached), EINVAL);
  EXPECT_EQ(d.step(a, OpKind::kJoin, kNoThread), ESRCH);
  EXPECT_EQ(d.step(a, OpKind::kJoin, 77), ESRCH);
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, b), kBlocks);
  EXPECT_EQ(d.step(a, OpKind::kJoin, b), EINVAL);  // another thread waits already
  d.exit(b);
  EXPECT_EQ(d.step(a, OpKind::kJoin, b), EINVAL);
  EXPECT_EQ(d.model->perform(kMainThread), 0);
  d.exit(detached);
  EXPECT_EQ(d.step(a, OpKind::kJoin, detached), ESRCH);
}

TEST(Threads, DetachErrors) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  EXPECT_EQ(d.step(a, OpKind::kDetach, a), 0);
  EXPECT_TRUE(d.model->is_detached(a));
  EXPECT_EQ(d.step(kMainThread, OpKind::kDetach, a), EINVAL);
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, a), EINVAL);
  d.exit(b);
  EXPECT_EQ(d.step(kMainThread, OpKind::kDetach, b), 0);  // ended already: gone at once
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, b), ESRCH);
}

// glibc: the detach returns 0 and changes nothing, the join succeeds.
TEST(Threads, DetachOfAThreadThatSomebodyJoins) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, b), kBlocks);
  EXPECT_EQ(d.step(a, OpKind::kDetach, b), 0);
  d.exit(b);
  ASSERT_TRUE(d.is_enabled(kMainThread)) << "the join must return";
  EXPECT_EQ(d.model->perform(kMainThread), 0);
}

// glibc: the second of two threads that join each other gets EDEADLK.
TEST(Threads, JoiningOneThatJoinsUs) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  EXPECT_EQ(d.step(a, OpKind::kJoin, b), kBlocks);
  EXPECT_EQ(d.step(b, OpKind::kJoin, a), EDEADLK);
  d.exit(b);
  EXPECT_TRUE(d.is_enabled(a));
}

TEST(Threads, SelfJoinOfADetachedThreadIsAsGlibcs) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  static std::atomic<int> real{-1};
  pthread_t thread;
  const auto body = [](void*) -> void* {
    real = pthread_join(pthread_self(), nullptr);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attr, body, nullptr), 0);
  while (real == -1) sched_yield();
  ModelDriver d;
  const ThreadId t = d.start(kMainThread, true);
  EXPECT_EQ(d.step(t, OpKind::kJoin, t), real);
}

TEST(Threads, SlotsAreReusedNamesAndOrdinalsNever) {
  ModelDriver d;
  std::set<uint64_t> names = {kMainName};
  for (uint32_t i = 1; i <= 5000; ++i) {
    const ThreadId t = d.start(kMainThread, i % 2 == 0);
    EXPECT_EQ(t, 1);
    EXPECT_EQ(d.model->ordinal(t), i);
    EXPECT_TRUE(names.insert(d.model->name(t)).second);
    EXPECT_EQ(d.model->name(t), name_of_child(kMainName, i - 1));
    EXPECT_FALSE(d.model->has_ended(t));
    d.exit(t);
    EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, t), i % 2 == 0 ? ESRCH : 0);
  }
  EXPECT_EQ(d.model->created(), 5001u);
  EXPECT_EQ(d.model->live_count(), 1);
}

TEST(Threads, AnUnjoinedThreadKeepsItsSlot) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.exit(a);
  EXPECT_TRUE(d.model->has_ended(a));
  EXPECT_NE(d.start(), a);
}

// A thread that reuses a slot starts its own family: children are numbered from the parent's own first.
TEST(Threads, NamesComeFromTheFamilyNotTheSlot) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId child = d.start(a);
  const uint64_t name = d.model->name(child);
  EXPECT_EQ(name, name_of_child(name_of_child(kMainName, 0), 0));
  EXPECT_EQ(d.model->creator(child), 1u);
  d.exit(child), d.exit(a);
  d.step(kMainThread, OpKind::kJoin, child), d.step(kMainThread, OpKind::kJoin, a);
  const ThreadId b = d.start();
  EXPECT_EQ(b, a);
  EXPECT_EQ(d.model->name(d.start(b)), name_of_child(name_of_child(kMainName, 1), 0));
}

TEST(Threads, AThousandAndNoMore) {
  ModelDriver d;
  for (int i = 1; i < kMaxThreads; ++i) ASSERT_EQ(d.start(), i);
  EXPECT_EQ(d.start(), kNoThread);
  d.exit(500);
  EXPECT_EQ(d.start(), kNoThread);  // not joined yet
  EXPECT_EQ(d.step(kMainThread, OpKind::kJoin, 500), 0);
  EXPECT_EQ(d.start(), 500);
}

TEST(Threads, MainMayEndFirstAndBeJoined) {
  ModelDriver d;
  const ThreadId a = d.start();
  EXPECT_EQ(d.step(a, OpKind::kJoin, kMainThread), kBlocks);
  d.exit(kMainThread);
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_EQ(d.model->live_count(), 1);
}

}  // namespace
}  // namespace snarl::model
