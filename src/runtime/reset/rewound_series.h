// The orders of a series in the wire, and what its runs leave there: part of reset rewind (rewind.h). Lies in memory
// that is not put back.
#pragma once

#include <cstddef>

#include "base/hash.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/told.h"
#include "runtime/state/state.h"
#include "wire/learned_pages.h"

namespace snarl::runtime {

class RewoundSeries {
 public:
  // The next run is that of the next order.
  void begin_run() {
    wire::Series& series = wire();
    const uint32_t nth = series.begun.load(std::memory_order_relaxed);
    raw::copy(&engine::shared->command, &series.orders[nth], sizeof(wire::Command));
    series.begun.store(nth + 1, std::memory_order_release);
  }

  // The run that was begun last has come to its end. `code`: that it exited with.
  void note_end(int code, uint64_t output) {
    wire::Series& series = wire();
    wire::State& state = engine::shared->state;
    state.exit_code = code;
    if (code != 0 && state.outcome == OutcomeKind::kNone) state.outcome = OutcomeKind::kExit;
    wire::EndedRun& run = series.runs[series.ended++];
    raw::copy(&run.state, &state, offsetof(wire::State, message));
    run.output = output;
    const bool passed = state.outcome == OutcomeKind::kNone && state.misuses.load(std::memory_order_relaxed) == 0 &&
                        state.on_fibers.obstacle[0] == '\0';
    const bool is_told = note_races() && note_learned();
    note_pairs();
    run.pairs = pairs_, run.learned = learned_;
    series.last_passed = passed && is_told;
  }

  bool continues() const {
    const wire::Series& series = wire();
    return series.last_passed != 0 && series.ended < series.count && series.ended < wire::kMaxSeries &&
           series.stop.load(std::memory_order_relaxed) == 0;
  }

  // `unknown`: pages that runs of it have written, and that were not put back before.
  void end(long unknown) {
    wire::Series& series = wire();
    series.sure = unknown == 0 ? series.ended : 1;
    if (unknown == 0) return;
    told_pairs_.forget(), told_races_.forget();  // the explorer does not take what unsure runs met
  }

  void begin() {
    wire::Series& series = wire();
    series.begun.store(0, std::memory_order_relaxed);
    series.ended = series.sure = series.last_passed = 0;
    pairs_ = learned_ = 0;
  }

 private:
  static wire::Series& wire() { return reinterpret_cast<wire::Whole*>(engine::shared)->series; }

  // Each run lists all that it met, as its list was put back.
  void note_pairs() {
    wire::Layout& layout = *engine::shared;
    if (!layout.command.settings.list_pairs) return;
    wire::Series& series = wire();
    for (uint32_t i = 0; i < layout.state.met_pairs && i < kMaxPairs && pairs_ < kMaxPairs; ++i)
      if (told_pairs_.is_new(hash_of(layout.met_pairs[i]))) series.met_pairs[pairs_++] = layout.met_pairs[i];
  }

  // A run with races that no other had is not believed: a copy's record tells of them. False: this is one.
  bool note_races() {
    const wire::Layout& layout = *engine::shared;
    bool all_known = true;
    for (uint32_t i = 0; i < layout.state.races && i < wire::kMaxRaces; ++i) {
      const wire::RaceEntry& race = layout.races[i];
      const uint64_t kinds = static_cast<uint64_t>(race.weak.is_one) << 16 | static_cast<uint64_t>(race.op) << 8 |
                             static_cast<uint64_t>(race.other_op);
      all_known &= !told_races_.is_new(combine(combine(race.pc, race.other_pc), kinds));
    }
    return all_known;
  }

  // Those that the orders name are no news. False: there are too many.
  bool note_learned() {
    wire::Layout& layout = *engine::shared;
    if (layout.command.settings.learning == Learning::kNothing) return true;
    wire::Series& series = wire();
    for (uint32_t i = 0; i < layout.state.learned && i < wire::kMaxPlaces; ++i) {
      if (is_place(layout.learned[i])) continue;
      if (learned_ == wire::kMaxPlaces) return false;
      series.learned[learned_++] = layout.learned[i];
    }
    return true;
  }

  // They are in order.
  static bool is_place(const SharedPlace& place) {
    const SharedPlace* const places = engine::shared->places;
    uint32_t low = 0, high = wire().places;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      places[middle] < place ? low = middle + 1 : high = middle;
    }
    return low < wire().places && places[low] == place;
  }

  uint32_t pairs_ = 0, learned_ = 0;  // entries of the tables of the series
  Told<4 * kMaxPairs> told_pairs_;
  Told<16 * wire::kMaxRaces> told_races_;
};

}  // namespace snarl::runtime
