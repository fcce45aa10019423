// The orders of a series in the wire, and what its runs leave there: part of reset rewind (rewind.h). Lies in memory
// that is not put back.
#pragma once

#include <cstddef>

#include "runtime/platform/raw.h"
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
    series.last_passed = state.outcome == OutcomeKind::kNone && state.misuses.load(std::memory_order_relaxed) == 0 &&
                         state.races == 0 && state.on_fibers.obstacle[0] == '\0';
    note_pairs();
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
    raw::fill(told_, 0, sizeof told_);  // the explorer does not take what unsure runs met
    tellable_ = kMostTold;
  }

  void begin() {
    wire::Series& series = wire();
    series.begun.store(0, std::memory_order_relaxed);
    series.ended = series.sure = series.pairs = series.last_passed = 0;
  }

 private:
  static constexpr uint32_t kSlots = 4 * kMaxPairs, kMostTold = kSlots / 2;

  static wire::Series& wire() { return reinterpret_cast<wire::Whole*>(engine::shared)->series; }

  // Each run lists all that it met, as its list was put back.
  void note_pairs() {
    wire::Layout& layout = *engine::shared;
    if (!layout.command.settings.list_pairs) return;
    wire::Series& series = wire();
    for (uint32_t i = 0; i < layout.state.met_pairs && i < kMaxPairs && series.pairs < kMaxPairs; ++i)
      if (is_new(hash_of(layout.met_pairs[i]))) series.met_pairs[series.pairs++] = layout.met_pairs[i];
  }

  // Two pairs of one hash are taken for one: one in 2^50 campaigns has such.
  bool is_new(uint64_t hash) {
    hash |= 1;
    for (uint64_t slot = hash >> 1;; ++slot) {
      uint64_t& told = told_[slot % kSlots];
      if (told == hash) return false;
      if (told != 0) continue;
      if (tellable_ == 0) return true;  // too many: told again
      --tellable_;
      told = hash;
      return true;
    }
  }

  uint32_t tellable_ = kMostTold;
  uint64_t told_[kSlots] = {};  // hashes of the pairs that the explorer was told of; 0: none
};

}  // namespace snarl::runtime
