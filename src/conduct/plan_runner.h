// Runs a Plan: which of the enabled threads has the highest rank now.
#pragma once

#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "policy/policy.h"

namespace snarl::conduct {

class PlanRunner {
 public:
  // Takes the plan over: its changes are put in order of their steps (each keeps its own rank).
  void begin(const policy::Plan& plan);

  // A thread that the plan has no rank for is inserted at a uniformly random place among those that have one (more
  // threads than n extend the permutation).
  void spawned(ThreadId t, uint32_t ordinal) {
    ranks_[t] = __builtin_expect(ordinal < planned_.size(), 1) ? planned_[ordinal] : insert_rank();
  }

  // A timed wait has begun: its timer gets a random place among the threads, or below them all (Plan::early_timers).
  void timer_set(ThreadId timer);
  // The number of timers that were set.
  uint64_t timers() const { return timers_; }

  // After step `step`, taken by `t`. Of several changes at one step, the lowest rank wins.
  [[gnu::always_inline]] void stepped(Step step, ThreadId t) {
    if (__builtin_expect(step >= next_change_, 0)) change(step, t);
  }
  // The step after which that happens next; kNoChange: never.
  static constexpr Step kNoChange = ~Step{0};
  Step next_change() const { return next_change_; }

  // The run has no plan.
  void rest() {
    next_change_ = kNoChange;
    timers_ = 0;
  }

  // The thread of `among` that runs next: the one with the highest rank, or any of those that may run in parallel (a
  // uniform adversary stands for the cores that a serial run does not have). `among` is not empty.
  [[gnu::always_inline]] ThreadId best(const ThreadSet& among) {
    return __builtin_expect(is_serial(), 1) ? highest(among) : any_of_highest(among);
  }

  bool is_serial() const { return parallel_above_ == policy::kNoRank; }

  // The threads of `among` that wait for all others in a parallel plan; none in a serial one.
  ThreadSet low(const ThreadSet& among) const;

  // Was best()'s last choice the adversary's? It draws again for every step.
  bool drew() const { return drew_; }

  // From now on `t` has that rank.
  void lower(ThreadId t, policy::Rank rank) { ranks_[t] = rank; }
  policy::Rank rank(ThreadId t) const { return ranks_[t]; }
  // By step; of one step, the highest rank first.
  std::span<const policy::Change> changes() const { return changes_; }

 private:
  [[gnu::always_inline]] ThreadId highest(const ThreadSet& among) const {
    return among.greatest([this](ThreadId t) __attribute__((always_inline)) { return ranks_[t]; });
  }
  ThreadId any_of_highest(const ThreadSet& among);
  [[gnu::noinline]] void change(Step step, ThreadId t);
  void sort_changes();
  void look_ahead() { next_change_ = at_ == changes_.size() ? kNoChange : changes_[at_].step; }
  void sort_planned();
  size_t random_place();
  policy::Rank rank_at(size_t place) const;
  policy::Rank random_rank() { return rank_at(random_place()); }
  [[gnu::noinline]] policy::Rank insert_rank();

  std::span<policy::Rank> planned_;    // by ordinal
  std::span<policy::Change> changes_;  // by step; of one step, the highest rank first
  size_t at_ = 0;                      // the first change that has not been applied
  Step next_change_ = kNoChange;       // its step
  policy::Rank parallel_above_ = policy::kNoRank;
  bool drew_ = false;
  LateRng insert_, adversary_;
  uint32_t early_timers_ = 1;
  uint64_t timers_ = 0;
  bool timers_are_late_ = false;
  policy::Rank floor_ = 0;                     // the highest rank of a change
  size_t known_ = 0;                           // how many are in sorted_
  Storage<policy::Rank, kMaxSlots> ranks_;     // by slot
  Storage<policy::Rank, kMaxThreads> sorted_;  // all ranks of threads, once a thread beyond the plan has come
};

}  // namespace snarl::conduct
