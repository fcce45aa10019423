#include "explain/cause/search.h"

#include <algorithm>

#include "explain/cause/chooser.h"

namespace snarl::explain {
namespace {

constexpr uint64_t kSamples = 40;       // random runs to begin with
constexpr uint64_t kMostRounds = 400;   // directives that are tried
constexpr uint64_t kRoundRuns = 1'000;  // numbers of runs that a round has

class Search {
 public:
  Search(const Trace& failed, Trials& trials, Scope scope)
      : failed_(failed), trials_(trials), chooser_(failed, scope) {}

  Cause find() {
    if (sample()) try_directives();
    if (cause_.state == CauseState::kNone && is_late_) cause_.in_time = false;
    return std::move(cause_);
  }

 private:
  struct Proof {
    CauseTally walk, by_priority;
    bool refuted = false;
  };

  CauseRules rules_of(const Choice& choice) const {
    CauseRules rules;
    std::optional<uint32_t> last;
    for (const uint32_t i : choice) {
      const Candidate& c = chooser_.candidates()[i];
      if (last != c.target) rules.push_back({failed_[c.target], {}});
      rules.back().sources.push_back(failed_[c.source]);
      last = c.target;
    }
    return rules;
  }

  std::optional<Trial> run(const CauseRules& rules, uint64_t number, bool by_priority, bool tells, CauseTally& tally) {
    std::optional<Trial> trial = trials_.run(rules, number, by_priority, tells);
    is_late_ = !trial.has_value();
    if (!trial) return trial;
    ++cause_.tries;
    ++tally.runs;
    const bool failed = trial->end == TrialEnd::kFailed || trial->end == TrialEnd::kFailedOtherwise;
    tally.failed += failed ? 1 : 0;
    tally.otherwise += trial->end == TrialEnd::kFailedOtherwise ? 1 : 0;
    tally.unclear += trial->end == TrialEnd::kUnclear ? 1 : 0;
    tally.dead_ends += trial->obedience == Obedience::kDeadEnd ? 1 : 0;
    return trial;
  }

  bool sample() {
    CauseTally tally;
    for (uint64_t i = 0; i < kSamples; ++i) {
      const std::optional<Trial> trial = run({}, i, i % 2 != 0, true, tally);
      if (!trial) return false;
      if (trial->end == TrialEnd::kPassed) chooser_.refute(trial->passed);
    }
    return true;
  }

  void try_directives() {
    for (uint64_t round = 1; round <= kMostRounds && !is_late_; ++round) {
      const std::optional<Choice> choice = chooser_.smallest();
      if (!choice) break;
      const Proof proof = prove(*choice, round);
      if (is_late_) break;
      if (!proof.refuted) return keep(CauseState::kProved, *choice, proof, round);
      if (!best_ || rate_of(proof) > rate_of(best_proof_)) best_ = *choice, best_proof_ = proof;
    }
    if (best_) keep_best();
  }

  static double rate_of(const Proof& proof) {
    const uint64_t runs = proof.walk.runs + proof.by_priority.runs;
    return runs == 0 ? 0 : static_cast<double>(runs - 1);  // so many did not refute it
  }

  // Both kinds of runs in turn, as long as there are such: what refutes a directive soon is mostly seen in one of them.
  Proof prove(const Choice& choice, uint64_t round) {
    const CauseRules rules = rules_of(choice);
    Proof proof;
    for (uint64_t i = 0; i < kWalks + kByPriority; ++i) {
      const bool by_priority = i % 2 != 0 && i < 2 * kByPriority;
      const std::optional<Trial> trial =
          run(rules, round * kRoundRuns + i, by_priority, true, by_priority ? proof.by_priority : proof.walk);
      if (!trial) return proof;
      if (is_fine(*trial)) continue;
      proof.refuted = true;
      take(*trial, choice);
      return proof;
    }
    proof.refuted = 2 * (proof.walk.otherwise + proof.by_priority.otherwise) > kWalks + kByPriority;
    if (proof.refuted) chooser_.ban(choice);
    return proof;
  }

  static bool is_fine(const Trial& trial) {
    return (trial.end == TrialEnd::kFailed || trial.end == TrialEnd::kFailedOtherwise) &&
           trial.obedience != Obedience::kDeadEnd && trial.obedience != Obedience::kViolated;
  }

  void take(const Trial& trial, const Choice& choice) {
    const bool tells = trial.end == TrialEnd::kPassed && chooser_.obeys(trial.passed, choice);
    if (trial.end == TrialEnd::kPassed && !trial.passed.empty()) chooser_.refute(trial.passed);
    if (!tells) chooser_.ban(choice);
  }

  void keep(CauseState state, const Choice& choice, const Proof& proof, uint64_t round) {
    cause_.state = state;
    cause_.walk = proof.walk;
    cause_.by_priority = proof.by_priority;
    const CauseRules rules = rules_of(choice);
    for (size_t i = 0; i < rules.size(); ++i) {
      cause_.constraints.push_back({rules[i].target, rules[i].sources, {}});
      if (state == CauseState::kProved) leave_out(i, rules, (kMostRounds + round) * kRoundRuns);
    }
  }

  void leave_out(size_t which, CauseRules rules, uint64_t number) {
    rules.erase(rules.begin() + static_cast<ptrdiff_t>(which));
    for (uint64_t i = 0; i < kWithoutOne && !is_late_; ++i)
      run(rules, number + which * kWithoutOne + i, false, false, cause_.constraints[which].without);
    if (is_late_) cause_.in_time = false;
  }

  // How often does it fail?
  void keep_best() {
    if (is_late_) return;
    const CauseRules rules = rules_of(*best_);
    Proof rate;
    for (uint64_t i = 0; i < kWithoutOne && !is_late_; ++i)
      run(rules, (2 * kMostRounds + 1) * kRoundRuns + i, false, false, rate.walk);
    if (rate.walk.failed == 0) return;  // orders that never lead to the failure explain nothing
    keep(CauseState::kPartly, *best_, rate, 0);
  }

  const Trace& failed_;
  Trials& trials_;
  Chooser chooser_;
  Cause cause_;
  std::optional<Choice> best_;
  Proof best_proof_;
  bool is_late_ = false;
};

}  // namespace

// Orders of calls say most to people, and there are fewer of them: the others are only for what these can't explain.
Cause find_cause(const Trace& failed, Trials& trials) {
  Cause usual = Search(failed, trials, Scope::kCalls).find();
  if (usual.state == CauseState::kProved || !usual.in_time) return usual;
  Cause all = Search(failed, trials, Scope::kAll).find();
  all.tries += usual.tries;
  return all.state == CauseState::kProved ? all : usual;
}

}  // namespace snarl::explain
