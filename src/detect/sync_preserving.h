// Races of other schedules, from the trace of one: the sync-preserving ones (POPL'21).
//
// A pair is predicted if the events of the trace have an order in which each thread does what it did, each read reads
// from the same write, critical sections of a lock that are in it come in the order of the trace, and both accesses are
// next. That is so if and only if neither access is in the closure of what comes before the two in their threads; the
// events of the closure, in the order of the trace, are that order. Happens-before misses such a pair where only the
// order of two critical sections keeps the accesses apart. Pairs of places are told once.
#pragma once

#include <cstdint>
#include <vector>

#include "detect/predict_clocks.h"
#include "detect/predict_trace.h"

namespace snarl::detect {

// A thread's stretch of a schedule: it runs until it has taken so many steps.
struct Stretch {
  uint32_t ordinal = 0;
  uint32_t steps = 0;
};

struct PredictedRace {
  EventIndex earlier = kNoEvent, later = kNoEvent;  // as they come in the trace
  bool follows_order = false;         // it is one of the trace's own orders of critical sections: strong happens-before
                                      // does not order the two either
  std::vector<Stretch> witness = {};  // after it, both accesses are next
};

struct PredictedRaces {
  std::vector<PredictedRace> races = {};
  bool cut = false;  // there may be more: memory or the work that was allowed is used up
};

// `most_work`: pairs of accesses that are looked at, for each event of the trace.
PredictedRaces sync_preserving_races(const PredictTrace& trace, size_t most = 64, uint64_t most_work = 64);

// The event is the next step of an order.
void add_step(const PredictTrace& trace, EventIndex event, std::vector<Stretch>& order);
// The events of a cut as they come in the trace.
std::vector<Stretch> stretches_of(const PredictTrace& trace, const Cut& cut);

}  // namespace snarl::detect
