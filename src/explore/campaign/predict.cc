#include "explore/campaign/predict.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "detect/causal_races.h"
#include "detect/metric_pairs.h"
#include "detect/sync_preserving.h"
#include "explore/campaign/solver.h"

namespace snarl::explore {
namespace {

// All but what is not needed to look for a race.
record::RunRecord without_events(const record::RunRecord& traced) {
  record::RunRecord bare;
  bare.key = traced.key;
  bare.settings = traced.settings;
  bare.settings.trace = false;
  bare.functions = traced.functions;
  bare.unpatched = traced.unpatched;
  bare.expectations = traced.expectations;
  bare.random_addresses = traced.random_addresses;
  bare.steps = traced.steps;
  bare.seconds = traced.seconds;
  bare.places = traced.places;
  bare.spin_loads = traced.spin_loads;
  bare.hooked = traced.hooked;
  bare.modules = traced.modules;
  return bare;
}

wire::RaceEntry entry_of(const Event& earlier, const Event& later) {
  return {.pc = later.pc,
          .other_pc = earlier.pc,
          .address = later.object & ~uint64_t{7},
          .step = later.step,
          .thread = later.thread,
          .other = earlier.thread,
          .op = later.kind,
          .other_op = earlier.kind};
}

std::vector<Decision> decisions_of(const std::vector<detect::Stretch>& witness) {
  std::vector<Decision> decisions;
  for (const detect::Stretch& stretch : witness) {
    Decision d;
    d.nth = stretch.steps;
    d.from = stretch.ordinal;
    d.reason = Reason::kPreempted;
    decisions.push_back(d);
  }
  for (size_t i = 1; i < decisions.size(); ++i) decisions[i - 1].to = decisions[i].from;
  return decisions;
}

std::set<std::pair<uint64_t, uint64_t>> places_of(const detect::PredictTrace& trace,
                                                  const detect::PredictedRaces& found) {
  std::set<std::pair<uint64_t, uint64_t>> places;
  for (const detect::PredictedRace& race : found.races)
    places.insert(std::minmax(trace.event(race.earlier).pc, trace.event(race.later).pc));
  return places;
}

// What the run itself shows to be unordered, by happens-before.
detect::MetricPairs unordered_pairs(std::span<const Event> events) {
  detect::MetricPairs pairs;
  for (const Event& event : events) pairs.add(event);
  return pairs;
}

}  // namespace

Prediction predict(const record::RunRecord& traced, size_t questions) {
  if (traced.parallel || traced.events_lost != 0) return {.cut = true};
  const detect::PredictTrace trace(traced.events);
  detect::PredictedRaces found = detect::sync_preserving_races(trace);
  Prediction result{.cut = found.cut};
  if (const detect::Solver solver = load_solver()) {
    detect::PredictedRaces more =
        detect::causal_races(trace, solver, places_of(trace, found), {.questions = questions});
    std::ranges::move(more.races, std::back_inserter(found.races));
    result.cut |= more.cut;
    result.solved = true;
  }
  if (found.races.empty()) return result;
  const detect::MetricPairs unordered = unordered_pairs(traced.events);
  const record::RunRecord bare = without_events(traced);
  for (const detect::PredictedRace& race : found.races) {
    record::RunRecord& one = result.races.emplace_back(bare);
    const Event &earlier = trace.event(race.earlier), &later = trace.event(race.later);
    one.races = {entry_of(earlier, later)};
    one.failure = record::Failure::possible_race(0);
    one.decisions = decisions_of(race.witness);
    one.switches = one.decisions.size();
    const bool seen = unordered.pairs().contains(std::minmax(earlier.pc, later.pc));
    one.predicted = seen ? record::Predicted::kUnordered : record::Predicted::kOrdered;
  }
  return result;
}

}  // namespace snarl::explore
