// Waiters that give up, against a brute-force reference: any assignment of tokens to waiters.
//
// A token is for the waiters older than it. Whoever gives up leaves its token to the others if one of
// them can take it; so the tokens that stay are always a largest set that can all be taken, each by a
// waiter of its own, and nobody takes one that is older than its wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "model/wait_queue.h"

namespace snarl::model {
namespace {

using Times = std::vector<uint64_t>;

// The most tokens that different waiters can take at once, by trying all.
size_t most_taken(const Times& waits, const Times& tokens, size_t token = 0, unsigned used = 0) {
  if (token == tokens.size()) return 0;
  size_t best = most_taken(waits, tokens, token + 1, used);
  for (size_t w = 0; w < waits.size(); ++w)
    if (!(used & 1u << w) && waits[w] < tokens[token])
      best = std::max(best, 1 + most_taken(waits, tokens, token + 1, used | 1u << w));
  return best;
}

class Queue {
 public:
  Queue() { pool_->begin(); }

  void wait(int w) {
    ++queue_.waiters;
    waits_[w] = ++clock_;
  }
  void signal() { queue_.signal(*pool_, ++clock_); }
  bool waits(int w) const { return waits_.count(w) != 0; }
  bool may_wake(int w) const { return queue_.may_wake(*pool_, waits_.at(w)); }
  void wake(int w) {
    queue_.wake(*pool_, waits_.at(w));
    waits_.erase(w);
  }
  // As the model does it; the tokens that must be left.
  void give_up(int w) {
    const Times before = tokens();
    waits_.erase(w);
    queue_.give_up(*pool_, [&](uint64_t time) {
      return static_cast<uint32_t>(
          std::count_if(waits_.begin(), waits_.end(), [&](auto& e) { return e.second < time; }));
    });
    ASSERT_EQ(tokens().size(), most_taken(since(), before)) << "a token is lost, or one that nobody can take is left";
    for (uint64_t token : tokens()) ASSERT_TRUE(std::count(before.begin(), before.end(), token));
  }
  // All tokens can be taken, whatever the order in which those who may wake do so.
  void check() const {
    const Times left = tokens();
    ASSERT_EQ(left.size(), queue_.tokens);
    ASSERT_EQ(queue_.waiters, waits_.size());
    ASSERT_TRUE(std::is_sorted(left.begin(), left.end()));
    ASSERT_EQ(most_taken(since(), left), left.size());
    for (const auto& [w, time] : waits_) {
      const uint64_t since = time;
      const bool some = std::any_of(left.begin(), left.end(), [&](uint64_t token) { return token > since; });
      ASSERT_EQ(may_wake(w), some) << "a late waiter with an early token, or one that is refused";
    }
  }

 private:
  Times tokens() const {
    Times result;
    uint16_t token = queue_.oldest;
    for (int i = 0; i < queue_.tokens; ++i, token = pool_->next(token)) result.push_back(pool_->time(token));
    return result;
  }
  Times since() const {
    Times result;
    for (const auto& [w, time] : waits_) result.push_back(time);
    return result;
  }

  std::shared_ptr<TokenPool::Room> room_ = std::make_shared<TokenPool::Room>();
  std::shared_ptr<TokenPool> pool_ = std::make_shared<TokenPool>(*room_);
  WaitQueue queue_;
  uint64_t clock_ = 0;
  std::map<int, uint64_t> waits_;
};

TEST(GiveUp, AgreesWithTheReferenceInRandomSequences) {
  constexpr int kThreads = 5;
  Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    Queue queue;
    for (int i = 0; i < 60 && !testing::Test::HasFatalFailure(); ++i) {
      const int w = static_cast<int>(rng.below(kThreads));
      if (rng.below(3) == 0)
        queue.signal();
      else if (!queue.waits(w))
        queue.wait(w);
      else if (rng.below(2) == 0)
        queue.give_up(w);
      else if (queue.may_wake(w))
        queue.wake(w);
      queue.check();
    }
  }
}

TEST(GiveUp, TheTokenPassesOnToAnOlderWaiterOnly) {
  Queue queue;
  queue.wait(0);
  queue.signal();
  queue.wait(1);
  queue.give_up(0);
  EXPECT_FALSE(queue.may_wake(1));
  queue.wait(0);
  queue.signal();
  EXPECT_TRUE(queue.may_wake(0) && queue.may_wake(1));
  queue.give_up(1);
  EXPECT_TRUE(queue.may_wake(0));
}

}  // namespace
}  // namespace snarl::model
