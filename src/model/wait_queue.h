// The rules of waiting to be woken, for condition variables and futexes: tokens.
//
// A signal leaves a token for the threads that wait at that moment. The first of them to be granted takes it, so which
// thread wakes up is a scheduling choice (docs/rules.md, rule 6). Waits and signals are numbered by one clock: a waiter
// may take every token that is younger than its wait. A waiter takes the oldest token that it may take, and a signal
// leaves none if each waiter could already have one. So every token can be taken by some waiter, and a late waiter
// never loses its token to an early one.
#pragma once

#include <cstdint>

#include "base/check.h"
#include "base/ids.h"
#include "base/storage.h"

namespace snarl::model {

constexpr uint16_t kNoToken = 0xffff;

// The tokens of all queues of a process. There are at most as many tokens as waiting threads.
class TokenPool {
 public:
  struct Token {
    uint64_t time = 0;
    uint16_t next = kNoToken;
  };
  using Room = Storage<Token, kMaxThreads>;

  explicit TokenPool(Room& room) : tokens_(room) {}

  void begin() {
    unused_ = kNoToken;
    fresh_ = 0;
  }
  uint16_t make(uint64_t time) {
    uint16_t token = unused_;
    if (token != kNoToken) {
      unused_ = tokens_[token].next;
    } else {
      SNARL_CHECK(fresh_ < kMaxThreads);
      token = fresh_++;
    }
    tokens_[token] = {time, kNoToken};
    return token;
  }
  void drop(uint16_t token) {
    tokens_[token].next = unused_;
    unused_ = token;
  }
  uint64_t time(uint16_t token) const { return tokens_[token].time; }
  uint16_t& next(uint16_t token) { return tokens_[token].next; }

 private:
  Room& tokens_;
  uint16_t unused_ = kNoToken;
  uint16_t fresh_ = 0;
};

struct WaitQueue {
  uint16_t waiters = 0;
  uint16_t tokens = 0;  // tokens <= waiters
  uint16_t oldest = kNoToken;
  uint16_t newest = kNoToken;

  bool is_idle() const { return waiters == 0; }

  void signal(TokenPool& pool, uint64_t now) {
    if (tokens < waiters) append(pool, now);
  }
  void broadcast(TokenPool& pool, uint64_t now) {
    while (tokens < waiters) append(pool, now);
  }
  bool may_wake(const TokenPool& pool, uint64_t waits_since) const {
    return tokens != 0 && pool.time(newest) > waits_since;
  }
  // A thread that has waited since then is granted its return, and takes its token.
  void wake(TokenPool& pool, uint64_t waits_since) {
    uint16_t before = kNoToken;
    uint16_t token = oldest;
    while (pool.time(token) <= waits_since) {
      before = token;
      token = pool.next(token);
    }
    unlink(pool, before, token);
    --waiters;
  }

  // A thread leaves without having been woken. `older(time)`: how many of the remaining threads have waited since
  // before that time. A token that no thread can take any more is dropped.
  template <typename F>
  void give_up(TokenPool& pool, F&& older) {
    --waiters;
    uint16_t before = kNoToken;
    uint32_t rank = 0;
    for (uint16_t token = oldest; token != kNoToken;) {
      const uint16_t next = pool.next(token);
      if (older(pool.time(token)) > rank) {
        ++rank;
        before = token;
      } else {
        unlink(pool, before, token);
      }
      token = next;
    }
  }

 private:
  void append(TokenPool& pool, uint64_t now) {
    const uint16_t token = pool.make(now);
    if (tokens++ == 0)
      oldest = token;
    else
      pool.next(newest) = token;
    newest = token;
  }
  void unlink(TokenPool& pool, uint16_t before, uint16_t token) {
    if (before == kNoToken)
      oldest = pool.next(token);
    else
      pool.next(before) = pool.next(token);
    if (newest == token) newest = before;
    --tokens;
    pool.drop(token);
  }
};

}  // namespace snarl::model
