#include "detect/causal_races.h"

#include <algorithm>
#include <map>

#include "detect/causal_window.h"

namespace snarl::detect {
namespace {

using PlacePair = std::pair<uint64_t, uint64_t>;

// Resources that the solver may use for one answer, in its own unit: about a second.
constexpr const char* kBegin = "(reset)\n(set-option :rlimit 3000000)\n(set-logic QF_IDL)\n";

class Search {
 public:
  Search(const PredictTrace& trace, const Solver& solver, const std::set<PlacePair>& known, const CausalLimits& limits)
      : trace_(trace), solver_(solver), known_(known), limits_(limits) {}

  PredictedRaces run() {
    for (EventIndex begin = 0; begin < trace_.size() && !is_over(); begin += limits_.window)
      look(begin, std::min(begin + limits_.window, trace_.size()));
    return std::move(result_);
  }

 private:
  bool is_over() const { return result_.cut && asked_ == limits_.questions; }

  // Both hold it, so they never come together.
  bool share_lock(EventIndex a, EventIndex b) const {
    const auto held = [&](EventIndex i) { return trace_.held(trace_.thread(i), trace_.nth(i) - 1); };
    return std::ranges::any_of(held(a), [&](uint32_t one) {
      return std::ranges::any_of(
          held(b), [&](uint32_t other) { return trace_.section(one).lock == trace_.section(other).lock; });
    });
  }

  void look(EventIndex begin, EventIndex end) {
    std::map<PlacePair, std::vector<std::pair<EventIndex, EventIndex>>> candidates;
    for (const std::vector<AccessList>& lists : trace_.variables())
      for (size_t i = 0; i < lists.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (conflict(lists[i], lists[j])) collect(lists[i], lists[j], begin, end, candidates);
    if (candidates.empty()) return;
    const CausalWindow window(trace_, begin, end);
    solver_(kBegin + window.formula());
    for (const auto& [places, pairs] : candidates)
      for (const auto& [a, b] : pairs)
        if (!known_.contains(places)) ask(window, places, std::min(a, b), std::max(a, b));
  }

  template <typename Candidates>
  void collect(const AccessList& one, const AccessList& other, EventIndex begin, EventIndex end,
               Candidates& candidates) {
    const PlacePair places = std::minmax(one.pc, other.pc);
    if (known_.contains(places)) return;
    for (auto a = std::ranges::lower_bound(one.events, begin); a != one.events.end() && *a < end; ++a)
      for (auto b = std::ranges::lower_bound(other.events, begin); b != other.events.end() && *b < end; ++b) {
        if (trace_.nth(*a) < 2 || trace_.nth(*b) < 2 || share_lock(*a, *b)) continue;
        auto& pairs = candidates[places];
        if (pairs.size() >= limits_.of_pair) return;
        pairs.push_back({*a, *b});
      }
  }

  void ask(const CausalWindow& window, const PlacePair& places, EventIndex earlier, EventIndex later) {
    if (asked_ == limits_.questions) {
      result_.cut = true;
      return;
    }
    ++asked_;
    const std::string answer = solver_("(push)\n(assert " + window.is_next(earlier) + ")\n(assert " +
                                       window.is_next(later) + ")\n(check-sat)\n");
    if (answer.starts_with("sat")) {
      result_.races.push_back(
          {.earlier = earlier, .later = later, .witness = window.witness(solver_(window.get_values()))});
      known_.insert(places);
    } else if (!answer.starts_with("unsat")) {
      result_.cut = true;
    }
    solver_("(pop)\n");
  }

  const PredictTrace& trace_;
  const Solver& solver_;
  std::set<PlacePair> known_;
  CausalLimits limits_;
  size_t asked_ = 0;
  PredictedRaces result_;
};

}  // namespace

PredictedRaces causal_races(const PredictTrace& trace, const Solver& solver, const std::set<PlacePair>& known,
                            const CausalLimits& limits) {
  return Search(trace, solver, known, limits).run();
}

}  // namespace snarl::detect
