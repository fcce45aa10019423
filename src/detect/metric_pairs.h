// How many different orders a schedule shows: the pairs of places that happens-before leaves unordered in a trace.
//
// The diversity measure of Schnauzer (ESEC/FSE'18, section 5.1). The detector drops an access that a later one stands
// for, as it wants one race; this keeps the last read and the last write of each place, per thread and variable, so all
// pairs are counted. Pairs after the first one of a run may be infeasible. Works on a trace outside of the tested
// process, and allocates.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "schedule/event.h"

namespace snarl::detect {

using PlacePair = std::pair<uint64_t, uint64_t>;  // pcs, the smaller one first

class MetricPairs {
 public:
  MetricPairs();

  // Of a serial run, in order. Threads are told apart by their ordinals, of which there may be kMaxThreads.
  void add(const Event& event);

  const std::set<PlacePair>& pairs() const { return pairs_; }
  bool is_cut() const { return cut_ || detector_.is_full(); }  // there may be more

 private:
  void add_access(const Event& event);
  void order(const Event& event);
  void touch(uint64_t granule, const Record& fresh);

  std::vector<Time> clocks_;
  std::vector<Cell> cells_;
  std::vector<Sync> syncs_;
  Detector detector_;
  std::unordered_map<uint64_t, std::vector<Record>> last_;  // by granule: one for each thread, place and kind
  std::set<PlacePair> pairs_;
  bool cut_ = false;
};

}  // namespace snarl::detect
