// Runs schedules of a lane by a policy of the catalog: the policy is asked at every point.
//
// What the conductor does natively is done here for the points of a lane: View and Verdict, arrivals and steps for
// policies that watch, names of threads, objects and sites, counts of profiling runs, and fairness.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "base/arena.h"
#include "conduct/counter.h"
#include "conduct/event_groups.h"
#include "conduct/fairness.h"
#include "conduct/object_names.h"
#include "conduct/pair_watch.h"
#include "conduct/sites.h"
#include "coseq/host/scheduler.h"
#include "policy/policy.h"

namespace snarl::coseq {

class PolicyRun {
 public:
  PolicyRun(Lane& lane, Scheduler& scheduler, uint64_t budget);

  // Schedules by `random` show what policies want to know of the program. The same seed shows the same.
  void profile(uint64_t seed);
  // `key`: with seed, index, turn, profile and policy.
  Ended run(const RunKey& key, std::vector<TraceStep>* trace);

 private:
  struct Learning;
  void begin(const Run& run);
  void loop(std::vector<TraceStep>* trace);
  void look();
  ThreadId choose();
  void take(uint32_t slot, std::vector<TraceStep>* trace);
  void arrive(uint32_t slot);
  void meet_new_threads(uint32_t creator);
  void make_way(uint32_t slot, const Op& op, std::vector<TraceStep>* trace);
  Op op_of(uint32_t slot);
  uint64_t object_name(uint32_t slot, const Op& op);

  Lane& lane_;
  Scheduler& scheduler_;
  uint64_t budget_;
  std::vector<char> memory_;
  policy::Policy* policy_ = nullptr;
  policy::Traits traits_;
  policy::View view_;
  policy::Verdict verdict_;
  conduct::Fairness fairness_;
  conduct::ObjectNames objects_;
  conduct::Sites sites_;
  conduct::EventGroups groups_;
  conduct::PairWatch pairs_;
  bool tells_ = false, names_ = false;  // the policy or a profiling run wants arrivals, and names of objects and sites
  ThreadSet passed_over_;               // make way until another has moved
  ThreadSet parked_;                    // spin: make way until that step
  uint64_t parked_until_ = 0, patience_ = 1;
  uint32_t met_ = 0;       // ordinals
  uint64_t in_a_row_ = 0;  // steps of the thread that ran last
  std::array<Slot, kLaneThreads> slots_;
  std::array<OpKind, kLaneThreads> last_kind_;
  std::array<uint64_t, kLaneThreads> site_;
  std::array<uint32_t, kLaneThreads> children_;  // that it has created

  // Of a profiling run.
  Learning* learning_ = nullptr;
  std::vector<ThreadCount> thread_counts_;
  std::vector<ObjectCount> object_counts_;
  std::vector<SitePair> known_pairs_;
  std::array<std::vector<uint64_t>, kGroupings> known_groups_;
};

}  // namespace snarl::coseq
