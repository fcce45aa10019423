// How many events each thread of a parallel run may take before it waits for the others: thread speed control (Chen,
// Jiang, Xu, Ma, Lu, ESEC/FSE'18, algorithm 2).
//
// In an interval a thread may take L times its speed events, fractions carried over. Then it rests until every other
// thread rests, is blocked or has ended. A blocked thread takes its share without doing anything, so it begins with the
// share of the interval in which it can go on. Only ratios of speeds matter: where all who could go on are slow, an
// interval is as many times longer as the fastest of them can have.
//
// Pure. One caller at a time; a thread that is at work may ask left() and take() for itself at any time.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"

namespace snarl::conduct {

class Quotas {
 public:
  void begin(uint64_t interval);

  // A new thread is at work.
  void add(ThreadId t, double speed);
  void remove(ThreadId t) { block(t); }

  uint64_t left(ThreadId t) const { return threads_[t].left; }
  void take(ThreadId t, uint64_t events);

  void block(ThreadId t);
  void unblock(ThreadId t);
  // It has nothing left.
  void rest(ThreadId t);
  bool is_resting(ThreadId t) const { return resting_.has(t); }

  // Does nobody work, though some could?
  bool is_over() const { return at_work_.empty() && !resting_.empty(); }
  // The next interval begins. Those who may go on are no longer resting.
  ThreadSet next();
  uint64_t intervals() const { return number_; }

 private:
  struct Share {
    double speed = 1;
    double carried = 0;   // a part of an event
    uint64_t left = 0;    // in the interval
    uint64_t number = 0;  // of the interval that this is for
    bool is_new = false;  // given while the thread could not know: what it has counted is of an earlier one
  };

  void give(ThreadId t);

  uint64_t interval_ = 0;
  uint64_t times_ = 1;  // that length has the present interval
  uint64_t number_ = 0;
  ThreadSet at_work_, resting_;
  Storage<Share, kMaxThreads> threads_;
};

}  // namespace snarl::conduct
