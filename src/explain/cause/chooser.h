// Which of the directives that no run has refuted yet is the smallest?
//
// A run that passes refutes every directive that it obeys: so a directive that is left is a hitting set, of candidates
// that each passing run violates. The chooser looks for the smallest: fewest targets first, then fewest sources, then
// the candidates that explain best. Pure, and the same for the same runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "explain/cause/candidates.h"
#include "explain/cause/trace.h"

namespace snarl::explain {

constexpr int kMostConstraints = 6;

// Indices of candidates, ascending by target and source.
using Choice = std::vector<uint32_t>;

class Chooser {
 public:
  static constexpr size_t kMostRuns = 512;

  Chooser(const Trace& failed, Scope scope);

  const std::vector<Candidate>& candidates() const { return candidates_; }

  // A run that passed. False: there were too many to remember it.
  bool refute(const Trace& passed);
  // Runs could not obey it: it is not chosen again, and others with its candidates only later.
  void ban(const Choice& choice);
  // Would this run be one that obeys the choice?
  bool obeys(const Trace& run, const Choice& choice) const;

  // None: no directive of up to kMostConstraints targets is left.
  std::optional<Choice> smallest();

 private:
  static constexpr size_t kWords = kMostRuns / 64;
  using Runs = std::array<uint64_t, kWords>;  // a set of passing runs
  struct Search;
  using Positions = std::vector<int64_t>;  // by event of the failing trace: where it is in a run; kNever

  static constexpr int64_t kNever = -1;

  Positions positions_in(const Trace& run) const;
  static bool violates(const Positions& at, const Candidate& c);
  Runs& disorder(uint32_t first, uint32_t second) { return disorder_[first * targets_.size() + second]; }

  std::vector<std::array<uint64_t, 3>> names_;  // of the failing trace's events
  std::vector<Candidate> candidates_;
  std::vector<uint32_t> penalties_;  // by candidate
  std::vector<uint32_t> targets_;    // events, ascending
  std::vector<uint32_t> target_of_;  // by candidate: index into targets_
  std::vector<Runs> violated_by_;    // by candidate
  std::vector<Runs> disorder_;       // by two targets: runs in which the second comes without the first before it
  std::set<Choice> banned_;
  size_t runs_ = 0;
  uint32_t targets_wanted_ = 1, extra_ = 0;  // the size that is looked at: there is nothing smaller
};

}  // namespace snarl::explain
