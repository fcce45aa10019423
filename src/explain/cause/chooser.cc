#include "explain/cause/chooser.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace snarl::explain {
namespace {

constexpr uint32_t kPenalty = 20;            // for a candidate that a dead end was met with
constexpr uint64_t kMostVisits = 1'000'000;  // of one size: what is not found within is not looked for
constexpr uint32_t kMostExtra = 2;           // sources beyond one for each target
constexpr uint32_t kMostInAnyOrder = 3;      // candidates of which all sets are tried

}  // namespace

Chooser::Chooser(const Trace& failed, Scope scope)
    : candidates_(candidates_of(failed, scope)), penalties_(candidates_.size()) {
  for (const TracedEvent& e : failed) names_.push_back({e.thread, e.place, e.nth});
  for (const Candidate& c : candidates_) targets_.push_back(c.target);
  std::ranges::sort(targets_);
  targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
  for (const Candidate& c : candidates_)
    target_of_.push_back(static_cast<uint32_t>(std::ranges::lower_bound(targets_, c.target) - targets_.begin()));
  violated_by_.resize(candidates_.size());
  disorder_.resize(targets_.size() * targets_.size());
}

Chooser::Positions Chooser::positions_in(const Trace& run) const {
  std::map<std::array<uint64_t, 3>, int64_t> at;
  for (size_t i = 0; i < run.size(); ++i) at[{run[i].thread, run[i].place, run[i].nth}] = static_cast<int64_t>(i);
  Positions positions;
  for (const auto& name : names_) {
    const auto found = at.find(name);
    positions.push_back(found == at.end() ? kNever : found->second);
  }
  return positions;
}

// A target that never comes violates nothing.
bool Chooser::violates(const Positions& at, const Candidate& c) {
  if (at[c.target] == kNever) return false;
  return at[c.source] == kNever || at[c.source] > at[c.target];
}

bool Chooser::refute(const Trace& passed) {
  if (runs_ == kMostRuns) return false;
  const Positions at = positions_in(passed);
  const size_t word = runs_ / 64;
  const uint64_t bit = uint64_t{1} << (runs_ % 64);
  ++runs_;
  for (size_t i = 0; i < candidates_.size(); ++i)
    if (violates(at, candidates_[i])) violated_by_[i][word] |= bit;
  for (uint32_t a = 0; a < targets_.size(); ++a)
    for (uint32_t b = a + 1; b < targets_.size(); ++b) {
      const int64_t first = at[targets_[a]], second = at[targets_[b]];
      if (second != kNever && (first == kNever || first > second)) disorder(a, b)[word] |= bit;
    }
  return true;
}

void Chooser::ban(const Choice& choice) {
  banned_.insert(choice);
  for (const uint32_t i : choice) penalties_[i] += kPenalty;
}

bool Chooser::obeys(const Trace& run, const Choice& choice) const {
  const Positions at = positions_in(run);
  for (const uint32_t i : choice)
    if (violates(at, candidates_[i])) return false;
  for (const uint32_t i : choice)
    for (const uint32_t j : choice) {
      const uint32_t first = candidates_[i].target, second = candidates_[j].target;
      if (first < second && at[second] != kNever && (at[first] == kNever || at[first] > at[second])) return false;
    }
  return true;
}

// The best choice of so many candidates with so many targets.
struct Chooser::Search {
  explicit Search(Chooser& chooser) : c(chooser), words((chooser.runs_ + 63) / 64) { list_useful(); }

  // One candidate for each target and set of runs: the one of the best rank. Those that no run violates are of no use.
  void list_useful() {
    std::map<std::pair<uint32_t, Runs>, uint32_t> of_its_runs;
    for (uint32_t i = 0; i < c.candidates_.size(); ++i) {
      if (c.violated_by_[i] == Runs{}) continue;
      const auto [at, is_new] = of_its_runs.try_emplace({c.target_of_[i], c.violated_by_[i]}, i);
      if (!is_new && rank(i) < rank(at->second)) at->second = i;
    }
    for (const auto& [key, i] : of_its_runs) useful.push_back(i);
    std::ranges::sort(useful, {}, [&](uint32_t i) { return std::pair(rank(i), i); });
  }

  uint32_t rank(uint32_t i) const { return c.candidates_[i].rank + c.penalties_[i]; }

  std::optional<Choice> of(uint32_t targets_wanted, uint32_t sources) {
    wanted = targets_wanted;
    size = sources;
    best.reset();
    best_rank = ~0u;
    for (const bool all : {false, true}) {
      if (best || (all && size > kMostInAnyOrder) || (!all && size < kMostInAnyOrder)) continue;
      tries_all = all;
      visits = 0;
      taken.clear();
      extend(0, 0, {}, 0);
    }
    return best;
  }

  // Either by all sets; or each candidate hits the first run that those before it don't. The latter is far quicker, but
  // leaves out a set that a run violates only by the order of its targets, if none of the first chosen is one of them.
  void extend(size_t from, uint32_t so_far, const Runs& hit, uint32_t targets_so_far) {
    if (taken.size() == size) return finish(so_far, hit, targets_so_far);
    const auto left = static_cast<uint32_t>(size - taken.size());
    const size_t missed = first_not_in(hit);
    if (!tries_all && missed == c.runs_) return;  // with fewer it would be a smaller choice
    for (size_t at = tries_all ? from : 0; at < useful.size(); ++at) {
      const uint32_t i = useful[at];
      if (so_far + rank(i) + (left - 1) * rank(useful.front()) >= best_rank || ++visits > kMostVisits) return;
      const bool is_new = std::ranges::none_of(taken, [&](uint32_t j) { return c.target_of_[j] == c.target_of_[i]; });
      const uint32_t targets_now = targets_so_far + (is_new ? 1 : 0);
      if (targets_now > wanted || targets_now + left - 1 < wanted) continue;
      const Runs now = with(hit, i);
      if (!tries_all && (now[missed / 64] >> (missed % 64) & 1) == 0) continue;
      taken.push_back(i);
      extend(at + 1, so_far + rank(i), now, targets_now);
      taken.pop_back();
    }
  }

  Runs with(Runs hit, uint32_t i) const {
    for (size_t w = 0; w < words; ++w) hit[w] |= c.violated_by_[i][w];
    for (const uint32_t j : taken) {
      const uint32_t a = std::min(c.target_of_[i], c.target_of_[j]), b = std::max(c.target_of_[i], c.target_of_[j]);
      if (a == b) continue;
      const Runs& disorder = c.disorder(a, b);
      for (size_t w = 0; w < words; ++w) hit[w] |= disorder[w];
    }
    return hit;
  }

  size_t first_not_in(const Runs& hit) const {
    for (size_t w = 0; w < words; ++w)
      if (const uint64_t missed = ~hit[w]; missed != 0)
        return std::min(w * 64 + static_cast<size_t>(std::countr_zero(missed)), c.runs_);
    return c.runs_;
  }

  void finish(uint32_t so_far, const Runs& hit, uint32_t targets_so_far) {
    if (targets_so_far != wanted || so_far >= best_rank || first_not_in(hit) != c.runs_) return;
    Choice choice = taken;
    std::ranges::sort(choice, {},
                      [&](uint32_t i) { return std::pair(c.candidates_[i].target, c.candidates_[i].source); });
    if (c.banned_.contains(choice)) return;
    best = std::move(choice);
    best_rank = so_far;
  }

  Chooser& c;
  size_t words;
  std::vector<uint32_t> useful;
  uint32_t wanted = 0, size = 0;
  bool tries_all = false;
  uint64_t visits = 0;
  std::vector<uint32_t> taken;
  std::optional<Choice> best;
  uint32_t best_rank = ~0u;
};

// What was not there before is not there with more runs.
std::optional<Choice> Chooser::smallest() {
  if (runs_ == 0 && !banned_.contains({})) return Choice();
  Search search(*this);
  for (; targets_wanted_ <= kMostConstraints; ++targets_wanted_, extra_ = 0)
    for (; extra_ <= kMostExtra; ++extra_)
      if (std::optional<Choice> found = search.of(targets_wanted_, targets_wanted_ + extra_)) return found;
  return std::nullopt;
}

}  // namespace snarl::explain
