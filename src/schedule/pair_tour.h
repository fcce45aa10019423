// Which of the known pairs of sites a run of `hold` is constrained by.
//
// Every pair is to be tried as often as every other. A run can't know what other runs try, so the choice is a function
// of its number: all runs of an epoch together go through the pairs in rounds. The first round goes in the order in
// which the pairs are given, the least tried first; the later ones are shuffled, so that other pairs meet in one run.
#pragma once

#include <cstdint>
#include <numeric>

#include "base/hash.h"

namespace snarl {

// The draws of the runs of one epoch are numbered.
struct Draws {
  uint64_t first = 0;
  uint64_t count = 0;
};

// One pair and two pairs in turn. `turn`: from the beginning of the epoch.
constexpr uint64_t kMostDraws = 2;
constexpr Draws draws_of(uint64_t turn) { return {turn / 2 * 3 + turn % 2, 1 + turn % 2}; }

// Draws of all runs of an epoch before that turn.
constexpr uint64_t draws_before(uint64_t turn) { return draws_of(turn).first; }

class PairTour {
 public:
  // pairs > 0
  PairTour(uint64_t seed, uint64_t epoch, uint64_t pairs) : salt_(combine(seed, epoch)), pairs_(pairs) {}

  // The pair of the n-th draw of the epoch.
  uint64_t at(uint64_t n) const {
    const uint64_t round = n / pairs_, place = n % pairs_;
    if (round == 0) return place;
    const uint64_t draw = combine(salt_, round);
    return (place * step_of(draw) + draw / pairs_) % pairs_;
  }

 private:
  // A number that has no divisor in common with how many there are: so each place of a round is another pair.
  uint64_t step_of(uint64_t draw) const {
    uint64_t step = draw % pairs_;
    while (std::gcd(step, pairs_) != 1) ++step;
    return step;
  }

  uint64_t salt_;
  uint64_t pairs_;
};

}  // namespace snarl
