// How many partial orders a campaign has seen, and how many it has not. Pure.
//
// What is left can be estimated where runs are drawn alike: those of one policy within one epoch, with the same points.
// Chao's estimate (Chao 1984, bias-corrected; Böhme, "STADS", 2018, for tests) takes from the orders that were seen
// once and twice how many there are in all. It is a lower bound in expectation, whatever the distribution is. As every
// policy draws from the orders of the one program, the largest of these bounds holds for the campaign.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/execute/executor.h"
#include "report/summary.h"
#include "schedule/order_tally.h"
#include "schedule/rota.h"

namespace snarl::explore {

// At least so many partial orders there are, as far as `tally` shows.
double least_orders(const OrderTally& tally);

class Saturation {
 public:
  // `alike`: by policy, are all of its runs within an epoch drawn alike? What others show is not estimated with.
  Saturation(const Rota& rota, std::vector<bool> alike)
      : rota_(rota), alike_(std::move(alike)), tallies_(alike_.size()) {}

  // The runs from now on are planned otherwise.
  void begin_epoch();
  // A run is finished, with that order.
  void note(uint64_t index, uint64_t order);
  // All that ranges of runs came to so far.
  void take(RangeOrders orders);

  uint64_t distinct() const { return ranges_.runs != 0 ? ranges_.distinct : first_.size(); }
  // Of a campaign whose indices below `end` have been run. Does not depend on the order in which they finished.
  report::SeenOrders sum_up(uint64_t end) const;

 private:
  uint64_t last_new() const;

  Rota rota_;
  std::vector<bool> alike_;
  uint64_t runs_ = 0;
  std::unordered_map<uint64_t, uint64_t> first_;  // by order: the smallest index that had it
  std::unordered_map<uint64_t, uint64_t> times_;  // by order and policy: runs of this epoch
  std::vector<OrderTally> tallies_;               // of this epoch, by policy
  double least_before_ = 0;                       // orders that there are, as the epoch before has shown
  RangeOrders ranges_;
};

}  // namespace snarl::explore
