// Runs schedules by their index: which method has it, how it is planned, and what came of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coseq/host/batch_runner.h"
#include "coseq/host/method.h"
#include "coseq/host/policy_run.h"
#include "coseq/host/prefix_choice.h"
#include "coseq/host/scheduler.h"
#include "coseq/host/shared_prefix.h"
#include "coseq/host/tally.h"

namespace snarl::coseq {

class Runner {
 public:
  Runner(Lane& lane, std::vector<Method> methods, uint64_t seed, uint64_t budget, SharePrefix share);

  // What schedules are planned with from now on.
  void set_profile(const Profile& profile);
  const std::vector<Method>& methods() const { return methods_; }
  // Indices go to the methods in blocks of this size.
  uint64_t block() const { return block_; }

  // The schedules from `begin` to before `end`, all of one epoch, until `stop` says so, or one fails and that is
  // enough. The index behind the last that was run.
  uint64_t run(uint64_t begin, uint64_t end, bool until_failure, const std::function<bool()>& stop, Tally& tally);
  // One of them again, traced.
  Ended again(uint64_t index, std::vector<TraceStep>& trace);
  // What runs elsewhere: nothing is done that is done on the host only.
  void as_elsewhere() { scheduler_.let_deadlines_come_early(false); }
  std::vector<LanePlan> plans(uint64_t begin, uint64_t end);
  // What came of them there. Those that did not pass run again here; how many of them ended otherwise.
  uint64_t take_batch(uint64_t begin, std::span<const LanePlan> plans, const Batch& batch, Tally& tally);
  const Method& method_of(uint64_t index) const { return methods_[position(index).part]; }

 private:
  // Where an index is.
  struct Position {
    size_t part;
    uint64_t group;  // of its method
    size_t lane;     // in the group
    uint64_t first;  // index of the group's first lane
  };
  Position position(uint64_t index) const;
  RunKey key_of(const Position& at) const;
  void draw(const Position& at);
  bool run_group(const Position& at, uint64_t count, Tally& tally);
  void count_for_bound(const Position& at, uint64_t lanes, uint64_t passed_over, Tally& tally);
  bool note(const Position& at, size_t lane, const Ended& end, Tally& tally);
  Ended again(const Position& at, std::vector<TraceStep>& trace);
  uint64_t likeness(const Ended& end);
  void learn();

  Lane& lane_;
  std::vector<Method> methods_;
  uint64_t seed_;
  Profile profile_;
  Scheduler scheduler_;
  SharedPrefix prefix_;
  PolicyRun policy_run_;
  bool learnt_ = false;
  std::vector<PrefixChoice> choices_;
  uint64_t block_ = 1;
  std::vector<LanePlan> plans_;
};

}  // namespace snarl::coseq
