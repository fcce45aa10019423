// Runs one schedule of a lane: who goes on, at which step that changes, and what came of it.
#pragma once

#include <array>
#include <vector>

#include "base/rng.h"
#include "coseq/host/lane.h"
#include "coseq/strategy/lane_plan.h"

namespace snarl::coseq {

// In a path: the deadline of the thread in that slot comes.
constexpr uint32_t kDeadlineOf = 0x100;

// A step of a traced schedule.
struct TraceStep {
  uint64_t step = 0;  // 0: taken while its thread lived alone
  uint32_t ordinal = 0;
  uint32_t slot = 0;
  uint32_t kind = 0;
  uint32_t object = 0;
  uint32_t other = 0;            // create, join: the ordinal of the other thread
  uint32_t start = 0;            // the function that its thread runs
  uint32_t begin_cost = 0;       // instructions before it, if the code counts them
  std::vector<uint32_t> places;  // innermost first
};

struct Ended {
  uint32_t status = 0;  // LaneEnd
  uint64_t steps = 0;
  uint32_t threads = 0;
  uint64_t order = 0;  // a hash of who ran from which step on
  bool passed_over = false;
  bool timed = false;  // a deadline could have come though a thread could run
};

// A change of a plan, in the order in which it comes.
struct PlannedChange {
  uint64_t step = 0;
  uint64_t rank = 0;
  bool operator==(const PlannedChange&) const = default;
};
struct PlannedChanges {
  std::array<PlannedChange, kPlanChanges> list;
  size_t count = 0;
};
// Earlier ones first; of one step that with the higher rank, so that the lowest stays.
PlannedChanges sorted_changes(const LanePlan& plan);

class Scheduler {
 public:
  Scheduler(Lane& lane, uint64_t budget) : lane_(lane), budget_(budget) {}

  // May a deadline come though a thread could run? Not unless somebody says so: devices know of none.
  void let_deadlines_come_early(bool may) { may_be_early_ = may; }

  // By a plan of priorities, as rule 2 of docs/rules.md has it: what a change says holds after its step, for the thread
  // that took it. With a trace the host looks at every point, and takes the same steps.
  Ended run_plan(const LanePlan& plan, std::vector<TraceStep>* trace);
  // The slots in `path`, one step each, or a deadline (kDeadlineOf + slot); then whoever can.
  Ended run_path(const std::vector<uint32_t>& path, std::vector<TraceStep>* trace);

  // One step of the thread, whatever the others are; false if the lane ended. New threads come to their first point.
  bool step(uint32_t slot);
  void begin();
  // Until the thread's next point at which `next` steps have been taken. With a trace, one step.
  void go(uint32_t slot, uint64_t next, std::vector<TraceStep>* trace);
  // Does the thread come back to the state that it is in without any other (`alone`: nor may any other go on then)?
  bool spins(uint32_t slot, bool alone, std::vector<TraceStep>* trace);
  // The thread whose deadline may come next though others can run (rule 7): the earliest that is not far; -1: none.
  int near_deadline();
  // It comes.
  void fire(uint32_t slot);
  // Time passes: the earliest deadline comes. False: there is none.
  bool wake_earliest();
  // The threads that may go on; if none may, time passes until one can. Empty: none ever will.
  uint64_t enabled();

  // For plans that share their first changes (host/shared_prefix.h): what the scheduler knows of the schedule under
  // way.
  struct Course {
    std::array<uint64_t, kLaneThreads> ranks;
    std::array<uint8_t, kLaneThreads> listed;  // slots of living threads, the highest rank first
    uint32_t list_size = 0;
    uint32_t known = 0;  // ordinals
    uint32_t last = kLaneThreads;
    uint64_t order = 0;
    uint64_t parked = 0;  // threads that only spin, until another has moved
    uint64_t patience = 1;
    uint64_t slice_begin = 0, slice = 0;
    bool passed_over = false;
    bool timed = false;
    bool early = false;  // deadlines have random ranks: in one of kEarlyTimers schedules
    LateRng insert;
  };
  Course& course() { return course_; }
  void begin_plan(const LanePlan& plan);
  // Goes on by the ranks until the lane has ended (true), or that step has been taken.
  bool run_to(const LanePlan& plan, uint64_t step, std::vector<TraceStep>* trace);
  // The thread that took the last step gets the rank.
  void lower(uint64_t rank);
  Ended ended() const;

 private:
  // Ends the lane if nobody can go on.
  template <typename Choose>
  void stepwise(Choose choose, std::vector<TraceStep>* trace);
  Ended run_drawn(const LanePlan& plan, std::vector<TraceStep>* trace);
  void plan_loop(const LanePlan& plan, uint64_t to, std::vector<TraceStep>* trace);
  bool has_timed_wait();
  int deadline_before(const LanePlan& plan, int best);
  void look_for_spinning(uint32_t slot, std::vector<TraceStep>* trace);
  void rank_new_threads(const LanePlan& plan);
  void list(uint32_t slot);
  int highest();
  TraceStep pending(uint32_t slot);
  bool wake_for_spinning(uint64_t set, std::vector<TraceStep>* trace);
  uint64_t state_hash();

  Lane& lane_;
  uint64_t budget_;
  bool may_be_early_ = false;
  Course course_;
};

}  // namespace snarl::coseq
