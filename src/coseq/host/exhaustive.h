// Every schedule with at most so many preemptions.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "coseq/host/scheduler.h"

namespace snarl::coseq {

struct Exhausted {
  double schedules = 0;  // that were explored, each counted, also where they meet a state that was seen
  uint64_t states = 0;
  uint64_t steps = 0;
  uint32_t threads = 0;
  bool complete = false;   // false: a limit was met, or a failure found
  bool has_loops = false;  // some schedule comes back to a state that it was in: counted once
  bool failed = false;
  Ended end;                   // of the failing schedule ...
  std::vector<uint32_t> path;  // ... and its threads, by slot
};

class Exhaustive {
 public:
  // `deadline`: on the clock of now(); a walk that is late says that it is not complete.
  Exhaustive(Lane& lane, Scheduler& scheduler, uint32_t preemptions, uint64_t budget, double deadline)
      : lane_(lane), scheduler_(scheduler), preemptions_(preemptions), budget_(budget), deadline_(deadline) {}
  Exhausted explore();

 private:
  struct Hash128 {
    uint64_t low, high;
    bool operator==(const Hash128&) const = default;
  };
  struct Low {
    size_t operator()(const Hash128& hash) const { return hash.low; }
  };
  double from_here(uint32_t running, uint32_t left, size_t depth);
  double after_deadline(const std::vector<uint8_t>& here, uint32_t running, uint32_t left, size_t depth);
  bool take(uint32_t slot);
  Hash128 state(uint32_t running, uint32_t left);
  void fail(uint32_t status);

  Lane& lane_;
  Scheduler& scheduler_;
  uint32_t preemptions_;
  uint64_t budget_;
  double deadline_;
  std::unordered_map<Hash128, double, Low> seen_;  // how many schedules begin there; below 0: it is on the way
  std::vector<uint32_t> path_;
  Exhausted result_;
  bool stopped_ = false;
};

double now();

}  // namespace snarl::coseq
