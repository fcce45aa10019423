// The interface between a scheduling policy and the conductor.
//
// A policy lives in the tested process for one run: no malloc (it has an arena), no
// clock, no I/O, and all its randomness comes from the run's seed and index. It is
// never called concurrently. Either it fills a Plan in begin() and is done, or it is
// asked by decide() unless its last answer still holds.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/ids.h"
#include "base/rng.h"
#include "base/thread_set.h"
#include "schedule/operation.h"
#include "schedule/run.h"
#include "schedule/slot.h"

namespace snarl::policy {

class Noise;        // policy/noise.h
class SpeedVector;  // policy/speed_vector.h

// What a policy sees. Owned by the conductor, valid during the call.
struct View {
  Step step = 0;              // steps taken so far
  ThreadId last = kNoThread;  // the thread that took the last step; kNoThread if that was its exit
  uint32_t last_ordinal = 0;  // that thread's ordinal, right even if it has ended
  Op did;                     // the operation of that step; unknown if the last answer held for it
  ThreadSet live;             // threads only
  ThreadSet enabled;          // those that may be chosen, timers and alarms among them; never empty in decide()
  const Slot* slots = nullptr;

  // The enabled threads, without timers and alarms. Empty if only a deadline can come.
  ThreadSet threads() const {
    ThreadSet result;
    enabled.for_each_below(kMaxThreads, [&](ThreadId t) { result.add(t); });
    return result;
  }
  // The enabled timers and alarms. To choose one is to let its deadline come.
  ThreadSet deadlines() const { return enabled.minus(threads()); }
  const Op& next(ThreadId t) const { return slots[t].pending; }
  // What the last thread is about to do now; kExit if it has ended.
  const Op& at() const { return last == kNoThread ? kEnded : slots[last].pending; }
  uint64_t name(ThreadId t) const { return slots[t].name; }
  uint32_t ordinal(ThreadId t) const { return slots[t].ordinal; }
  uint64_t taken(ThreadId t) const { return slots[t].taken; }

 private:
  static constexpr Op kEnded{.kind = OpKind::kExit};
};

// A policy's answer: `first`, an enabled thread, runs, and the policy is not asked again
// for `hold` further steps while that thread stays enabled and none of `unless` becomes enabled.
struct Verdict {
  // Not by assignment of a new one, which would write the unused words of `unless`, too.
  void clear() {
    first = awaits = kNoThread;
    hold = 0;
    unless_any = true;
    unless.clear();
    diverged = hides = false;
  }

  ThreadId first = kNoThread;
  Step hold = 0;
  bool unless_any = true;  // false: only members of `unless` end the hold
  ThreadSet unless;
  bool diverged = false;        // follow: the recording does not fit this run; the run ends here
  Decision expected;            // diverged: what the recording says
  ThreadId awaits = kNoThread;  // diverged, unless what this thread waits for outside comes ...
  bool hides = false;           // ... or, if it came earlier than it did then, is taken not to have come yet
};

// Priorities as pure data, so that the conductor, compiled lanes and a GPU run them
// with one compare per step. Higher rank runs first.
using Rank = uint64_t;
struct Change {
  Step step = 0;  // after this step ...
  Rank rank = 0;  // ... the thread that took it gets this rank
};
constexpr Rank kNoRank = ~Rank{0};
constexpr Rank kLateTimers = Rank{1} << 32;  // late timers have ranks below it; a plan's own are above
struct Plan {
  std::span<Rank> ranks;          // by ordinal; distinct, all above every change's rank
  std::span<Change> changes;      // pairs (k_i, d-i): k_i independent, NOT sorted against the ranks
  Rank parallel_above = kNoRank;  // threads of a higher rank may run at the same time; serially, any of them next
  LateRng insert;                 // draws the place of threads beyond `ranks`
  LateRng adversary;              // serially: draws which thread above `parallel_above` is next
  uint32_t early_timers =
      1;  // in one of so many runs timers have random ranks; in the others all threads are before them
  bool checks_order = false;            // in parallel: assert the rule of `parallel_above` at every point
  double pause_chance = 0;              // in parallel: at each point, a sleep ...
  uint64_t pause_nanoseconds = 0;       // ... of so long
  const Noise* noise = nullptr;         // in parallel: where threads give way; lives as long as the run
  const SpeedVector* speeds = nullptr;  // in parallel: threads run at these, likewise; null: as they like ...
  uint64_t interval = 0;                // ... with so many events at full speed before they wait for each other
};

// What a policy needs; asked once, before begin().
struct Traits {
  bool parallel = false;               // made for threads that run at the same time; serially they take turns ...
  bool also_serial = false;            // ... and it guarantees the same then
  bool steady = false;                 // fairness overrules nothing, points stay as they are
  bool directed = false;               // the user says what it does: the summary tells how it went
  bool counts = false;                 // Run::counts
  bool objects = false;                // Arrival::object
  bool watches = false;                // arrived() and stepped() are called
  bool sites = false;                  // Run::pairs and Arrival::site
  bool groups = false;                 // Run::groups and Arrival::group, ...
  GroupBy group_by = GroupBy::kPlace;  // ... which are these
};

// A thread at a point, with the operation that it is about to take or has just taken.
struct Arrival {
  ThreadId thread = kNoThread;
  uint64_t name = 0;    // of the thread
  uint64_t object = 0;  // name of the object that the operation accesses, stable across runs; 0: none
  uint64_t group = 0;   // name of the event's group, stable across runs; 0: it is in none
  uint64_t site = 0;    // name of the site (schedule/site_pair.h), at arrivals; 0: the operation accesses nothing
  const Op& op;
};

class Policy {
 public:
  virtual Traits traits(const PolicySpec&) const { return {}; }
  // How many schedules it has for runs that are ordered as this one, but for seed, index and turn; 0: it draws without
  // end. Asked before begin(). A campaign gives it no turn (Run::turn) beyond them.
  virtual uint32_t turns(const Run&) const { return 0; }
  // Called once, before any thread but main exists. True: the plan says it all and
  // decide() is never called.
  virtual bool begin(const Run& run, Arena& arena, Plan& plan) = 0;
  // view.last has created `child`.
  virtual void spawned(const View&, ThreadId /*child*/) {}
  // Every arrival and every step, also those that nothing is decided at (one thread alone).
  // `event`: it is counted in Run::counts.
  virtual void arrived(const Arrival&) {}
  virtual void stepped(const Arrival&, bool /*event*/) {}
  virtual void decide(const View& view, Verdict& verdict) = 0;

 protected:
  ~Policy() = default;  // lives in an arena, is never deleted
};

}  // namespace snarl::policy
