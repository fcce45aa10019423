// Thread speed control: every thread advances in proportion to a speed of its own.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"
#include "policy/speed_vector.h"

namespace snarl::policy {

// The enabled thread with the least executed / speed runs next; ties are drawn (Chen, Jiang, Xu, Ma, Lu, ESEC/FSE'18;
// section 4.1, without intervals: serially all threads use up their quotas in proportion anyway). A thread that is
// blocked advances as if it ran at its speed, so it owes and owns nothing when it wakes. A thread alone runs on. A new
// thread begins where the others are.
//
// Deadlines come when no thread can run; in one run of kEarlyTimers each comes like the next event of a thread of
// random speed.
class Speed final : public Policy {
 public:
  Traits traits(const PolicySpec& spec) const override;
  bool begin(const Run& run, Arena& arena, Plan& plan) override;
  void spawned(const View& view, ThreadId child) override;
  void stepped(const Arrival& step, bool event) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  // By slot. `due`: the point in time at which the thread takes its next event; one unit of time is an event of a
  // thread at full speed.
  struct Pace {
    double due = 0;
    double speed = 1;
    uint64_t seen = 0;        // events that `due` knows of
    uint64_t calls = 0;       // events=function: those that it has taken
    uint64_t returns_to = 0;  // ... and where the last of them returns, if it was seen at its entry
  };

  void add(ThreadId t, double speed) { paces_[t] = {.due = now_, .speed = speed}; }
  void catch_up(const View& view);
  void catch_up(const View& view, ThreadId t);
  void change_speeds(const View& view);
  ThreadId most_due(const ThreadSet& among, double& next);
  void note_timers(const ThreadSet& timers);

  Rng rng_;
  SpeedVector vector_;
  std::span<Pace> paces_;
  ThreadId chosen_ = kMainThread;  // by the last decision
  double now_ = 0;                 // no thread that was enabled all the time is due earlier
  bool functions_ = false;
  bool early_timers_ = false;
  ThreadSet timers_;  // the enabled ones that are known
};

// Is it a call of a function, as the paper counts them?
bool is_call(const Op& op);

}  // namespace snarl::policy
