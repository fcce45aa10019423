// Runs a Plan: who of the enabled threads has the highest rank now.
#pragma once

#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "policy/policy.h"

namespace snarl {

class PlanRunner {
 public:
  // Takes the plan over: its changes are put in order of their steps (each keeps its own rank).
  void begin(const Plan& plan);

  // A thread that the plan has no rank for is inserted at a uniformly random place among
  // those it has (spec 1: more threads than n extends the permutation).
  void spawned(ThreadId t, uint32_t ordinal);

  // A timed wait has begun: its timer gets a random place among the threads.
  void timer_set(ThreadId timer) { ranks_[timer] = random_rank(); }

  // After step `step`, taken by `t`. The lowest of several changes of one step wins.
  [[gnu::always_inline]] void stepped(Step step, ThreadId t) {
    while (at_ < changes_.size() && changes_[at_].step <= step) lower(t, changes_[at_++].rank);
  }

  // Who of `among` runs next: the one with the highest rank, or any of those that may run in
  // parallel (a uniform adversary stands for the cores that a serial run does not have). Not empty.
  ThreadId best(const ThreadSet& among);

  bool is_serial() const { return parallel_above_ == kNoRank; }

  // Of `among`, those that wait for all others in a parallel plan; none in a serial one.
  ThreadSet low(const ThreadSet& among) const;

  // Was best()'s last choice the adversary's? It draws again for every step.
  bool drew() const { return drew_; }

  // From now on `t` has that rank.
  void lower(ThreadId t, Rank rank) { ranks_[t] = rank; }
  Rank rank(ThreadId t) const { return ranks_[t]; }
  // By step; of one step, the highest rank first.
  std::span<const Change> changes() const { return changes_; }

  // How many further steps can be taken after the next one before a change applies.
  Step steps_to_change(Step step) const {
    return at_ == changes_.size() ? ~Step{0} : changes_[at_].step - step - 1;
  }

 private:
  void sort_planned();
  size_t random_place();
  Rank rank_at(size_t place) const;
  Rank random_rank() { return rank_at(random_place()); }
  Rank insert_rank();

  std::span<Rank> planned_;      // by ordinal
  std::span<Change> changes_;    // by step; of one step, the highest rank first
  size_t at_ = 0;                // the first change that has not been applied
  Rank parallel_above_ = kNoRank;
  bool drew_ = false;
  LateRng insert_, adversary_;
  Rank floor_ = 0;               // the highest rank of a change
  size_t known_ = 0;             // how many are in sorted_
  Storage<Rank, kMaxSlots> ranks_;     // by slot
  Storage<Rank, kMaxThreads> sorted_;  // all ranks of threads, once a thread beyond the plan has come
};

}  // namespace snarl
