// Tokens against a brute-force reference. To POSIX, a signal wakes one of the threads that
// wait and are not yet woken, at once, and does not say which. The reference keeps every
// possibility: the set of all sets of woken threads that the calls so far allow.
#include "model/wait_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/rng.h"

namespace snarl::model {
namespace {

class Reference {
 public:
  void wait(int w) { waiting_ |= bit(w); }
  void signal() {
    std::set<unsigned> next;
    for (unsigned woken : possible_) {
      for (int w = 0; w < 32; ++w)
        if (waiting_ & ~woken & bit(w)) next.insert(woken | bit(w));
      if (woken == waiting_) next.insert(woken);
    }
    possible_ = next;
  }
  void broadcast() { possible_ = {waiting_}; }
  bool may_wake(int w) const {
    return std::any_of(possible_.begin(), possible_.end(), [&](unsigned woken) { return woken & bit(w); });
  }
  void wake(int w) {
    std::set<unsigned> next;
    for (unsigned woken : possible_)
      if (woken & bit(w)) next.insert(woken & ~bit(w));
    possible_ = next;
    waiting_ &= ~bit(w);
  }
  int woken() const { return std::popcount(*possible_.begin()); }  // the same in every possibility

 private:
  static unsigned bit(int w) { return 1u << w; }
  unsigned waiting_ = 0;
  std::set<unsigned> possible_ = {0};
};

// Both, side by side.
class Pair {
 public:
  Pair() { pool_->begin(); }

  void wait(int w) {
    ++condvar_.waiters;
    since_[w] = ++clock_;
    reference_.wait(w);
  }
  void signal() { condvar_.signal(*pool_, ++clock_), reference_.signal(); }
  void broadcast() { condvar_.broadcast(*pool_, ++clock_), reference_.broadcast(); }
  bool waits(int w) const { return since_.count(w) != 0; }
  bool may_wake(int w) const { return waits(w) && condvar_.may_wake(*pool_, since_.at(w)); }
  void wake(int w) {
    condvar_.wake(*pool_, since_.at(w));
    since_.erase(w);
    reference_.wake(w);
  }
  void check(int threads) const {
    ASSERT_EQ(condvar_.tokens, reference_.woken());
    ASSERT_LE(condvar_.tokens, condvar_.waiters);
    ASSERT_EQ(condvar_.waiters, since_.size());
    for (int w = 0; w < threads; ++w)
      if (waits(w)) {
        ASSERT_EQ(may_wake(w), reference_.may_wake(w)) << "waiter " << w;
      }
  }

 private:
  std::shared_ptr<TokenPool::Room> room_ = std::make_shared<TokenPool::Room>();
  std::shared_ptr<TokenPool> pool_ = std::make_shared<TokenPool>(*room_);
  WaitQueue condvar_;
  uint64_t clock_ = 0;
  std::map<int, uint64_t> since_;
  Reference reference_;
};

// Every sequence of up to `left` operations of three threads, replayed from the start.
void try_all(std::vector<int>& sequence, int left, long& sequences) {
  constexpr int kThreads = 3;
  Pair pair;
  for (int op : sequence) {
    if (op == kThreads)
      pair.signal();
    else if (op == kThreads + 1)
      pair.broadcast();
    else if (!pair.waits(op))
      pair.wait(op);
    else
      pair.wake(op);
  }
  pair.check(kThreads);
  ++sequences;
  if (left == 0 || testing::Test::HasFatalFailure()) return;
  for (int op = 0; op < kThreads + 2; ++op) {
    if (op < kThreads && pair.waits(op) && !pair.may_wake(op)) continue;
    sequence.push_back(op);
    try_all(sequence, left - 1, sequences);
    sequence.pop_back();
  }
}

TEST(WaitQueue, AgreesWithTheReferenceInAllShortSequences) {
  std::vector<int> sequence;
  long sequences = 0;
  try_all(sequence, 7, sequences);
  EXPECT_GT(sequences, 10'000);
}

TEST(WaitQueue, AgreesWithTheReferenceInLongRandomSequences) {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    constexpr int kThreads = 7;
    Pair pair;
    for (int i = 0; i < 100 && !testing::Test::HasFatalFailure(); ++i) {
      const int w = static_cast<int>(rng.below(kThreads));
      if (rng.below(4) == 0)
        pair.signal();
      else if (rng.below(20) == 0)
        pair.broadcast();
      else if (!pair.waits(w))
        pair.wait(w);
      else if (pair.may_wake(w))
        pair.wake(w);
      pair.check(kThreads);
    }
  }
}

TEST(WaitQueue, ALateWaiterTakesNoEarlierToken) {
  Pair pair;
  pair.wait(0);
  pair.signal();
  pair.wait(1);
  EXPECT_FALSE(pair.may_wake(1));
  pair.signal();  // for the late one: the early one has its token
  pair.wake(0);
  EXPECT_TRUE(pair.may_wake(1));
}

TEST(WaitQueue, ASignalIsNotKeptForLater) {
  Pair pair;
  pair.signal();
  pair.wait(0);
  EXPECT_FALSE(pair.may_wake(0));
  pair.signal();
  pair.signal();  // every waiter is matched: nothing is left
  pair.wake(0);
  pair.wait(0);
  EXPECT_FALSE(pair.may_wake(0));
}

TEST(WaitQueue, TokensAreGivenBackToThePool) {
  const auto room = std::make_unique<TokenPool::Room>();
  auto pool = std::make_unique<TokenPool>(*room);
  pool->begin();
  WaitQueue condvar;
  uint64_t clock = 0;
  for (int round = 0; round < 5000; ++round) {
    const uint64_t since = ++clock;
    condvar.waiters = 2;
    condvar.broadcast(*pool, ++clock);
    condvar.wake(*pool, since);
    condvar.wake(*pool, since);
    ASSERT_TRUE(condvar.is_idle());
  }
}

}  // namespace
}  // namespace snarl::model
