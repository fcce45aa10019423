// How far each thread must have come before an event of a trace can happen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detect/predict_trace.h"

namespace snarl::detect {

using Cut = std::vector<uint32_t>;  // by thread: so many of its events

// Every event with the cut of all that it needs. A cut is closed if it has, of every event in it, what that one needs.
class PredictClocks {
 public:
  enum class Order {
    kStrong,          // critical sections stay in their order: strong happens-before (SHB, OOPSLA'18)
    kSyncPreserving,  // a critical section may be left out, and if one is begun, earlier ones are over (POPL'21)
  };

  PredictClocks(const PredictTrace& trace, Order order);

  // There was not enough memory for the whole trace: events from this one on have no clock.
  EventIndex end() const { return end_; }

  // How far `thread` is when the event is the last one of its own thread.
  uint32_t of(EventIndex event, uint32_t thread) const {
    return trace_.thread(event) == thread ? trace_.nth(event) : pool_[version_[event] * trace_.threads() + thread];
  }
  void join(Cut& cut, EventIndex event) const;

  // Adds what a sync-preserving order needs besides: of two critical sections of one lock in the cut, the earlier one
  // is over. False: it is never over in this trace, so there is no such order. The parts of the cut are closed.
  bool close(Cut& cut) const;

 private:
  // 512 MB of them.
  static constexpr size_t kMostTimes = size_t{1} << 27;

  bool add(EventIndex event);
  bool keep(EventIndex event, const Cut& cut);
  const Section* overtaken(const Cut& cut) const;
  bool is_overtaken(const Section& section, const Cut& cut) const;

  const PredictTrace& trace_;
  Order order_;
  EventIndex end_ = 0;
  std::vector<uint32_t> version_;     // by event: which row of pool_ it has
  std::vector<uint32_t> pool_;        // rows of as many times as there are threads
  std::vector<EventIndex> released_;  // by lock: where it was given back last
};

}  // namespace snarl::detect
