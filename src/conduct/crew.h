// Which threads may run in a parallel run: all enabled high threads at the same time and, only if none of those is
// enabled, the enabled low thread of the highest rank (parallel pct, PLDI 2012, section 5).
//
// Pure: it opens no gate itself. One caller at a time tells it what happens to the threads, and then asks admit() which
// thread to let run.
#pragma once

#include "base/ids.h"
#include "base/rng.h"
#include "base/thread_set.h"
#include "conduct/plan_runner.h"
#include "policy/policy.h"

namespace snarl::conduct {

class Crew {
 public:
  // Main lives and is enabled.
  void begin(const policy::Plan& plan);

  // A new thread, enabled: a high one runs from now on.
  void spawned(ThreadId t, uint32_t ordinal);
  void ended(ThreadId t);

  // The step of `t` is over, and it is not enabled any more.
  void block(ThreadId t);
  void enable(ThreadId t);

  // `t` has arrived at a point after its change step.
  void lower(ThreadId t, policy::Rank rank);

  // The step of `t`, a low thread or one that was left alone, is over: it is at a point again.
  void rest(ThreadId t);

  // The low thread that may take a step now, once: it is in its step until rest(), block() or ended().
  ThreadId admit();

  // How often admit() has let a low thread run. While a high thread is enabled this does not change.
  uint64_t low_steps() const { return low_steps_; }

  // A low thread, chosen uniformly among the enabled ones that wait, other than `but`. It takes one step though others
  // come first, because they may be spinning for it.
  ThreadId admit_starving(Rng& rng, ThreadId but = kNoThread);

  // Does `t` keep low threads waiting: is it a high one that is enabled, or the low one that is in its step?
  bool is_before_others(ThreadId t) const { return is_high(t) ? enabled_.has(t) && !away_.has(t) : stepping_ == t; }

  // Its step may never end, so it counts for nothing until it is at a point again.
  void leave_alone(ThreadId t);
  bool is_away(ThreadId t) const { return away_.has(t); }
  ThreadId stepping() const { return stepping_; }

  // A timed wait of `t` begins: its timer gets a random rank too. True if the rank is high, so that it may fire at
  // once.
  bool draws_high_timer(ThreadId t);

  bool is_high(ThreadId t) const { return !low_.has(t); }
  bool is_enabled(ThreadId t) const { return enabled_.has(t); }
  bool is_stepping(ThreadId t) const { return stepping_ == t; }
  bool anybody_enabled() const { return !enabled_.empty(); }
  bool others_enabled(ThreadId but) const;
  // How many threads may be running now.
  int running() const { return high_enabled_ + (stepping_ == kNoThread ? 0 : 1) + away_.size(); }
  int high_enabled() const { return high_enabled_; }
  int live_count() const { return live_count_; }
  std::span<const policy::Change> changes() const { return plan_.changes(); }

 private:
  void set_enabled(ThreadId t, bool enabled);
  ThreadSet waiting_low() const;

  PlanRunner plan_;
  policy::Rank parallel_above_ = 0;
  ThreadSet enabled_;
  ThreadSet low_;
  int live_count_ = 0;
  int enabled_count_ = 0;
  int high_enabled_ = 0;  // but those that are away
  uint64_t low_steps_ = 0;
  ThreadId stepping_ = kNoThread;  // the low thread that is in its step
  ThreadSet away_;                 // those that are in a step that takes too long
};

}  // namespace snarl::conduct
