// The half of the campaign that takes finished runs: what they teach, and what they add up to.
#include <algorithm>

#include "base/hash.h"
#include "explore/campaign/campaign.h"

namespace snarl::explore {
namespace {

// A run that was cut short by a limit says nothing about the program's size.
bool shows_size(OutcomeKind kind) {
  return kind != OutcomeKind::kTimeout && kind != OutcomeKind::kStepBudget && kind != OutcomeKind::kLivelock &&
         kind != OutcomeKind::kNone;
}

// With an exit code, if not the right one.
bool ended_by_itself(OutcomeKind kind) { return kind == OutcomeKind::kExit || kind == OutcomeKind::kWrongOutput; }

Met met_by(const record::RunRecord& record) {
  return {.time_out = record.timeouts != 0,
          .passed_over = record.passed_over != 0,
          .starvation = record.overrides != 0,
          .watchdog = !record.repeatable};
}

bool is_in(const std::shared_ptr<const record::SharedPlaces>& places, const SharedPlace& place) {
  return places != nullptr && std::ranges::binary_search(places->all(), place);
}

}  // namespace

bool Campaign::BySample::operator()(const Sample& a, const Sample& b) const {
  return mix64(a.order.key.index) < mix64(b.order.key.index);
}

void Campaign::finished(const RunOrder& order, const record::RunRecord& record, bool fails) {
  groups_.learn(record.groups);
  if (record.outcome == OutcomeKind::kNone) {
    again_.push_back(order);
    ++again_.back().losses;
    ++lost_;
    if (order.profiling) --profiling_;
    return;
  }
  if (plan_.ranges && order.profiling && fails) return end_profiling();
  learn(order, record);
  seen_places_.merge(record.learned);
  note_spin_loops(order, record);
  pairs_.learn(record.pairs);
  if (order.settings.count) (order.settings.all_memory ? all_counted_ : counted_).merge(record.counts);
  if (order.profiling) {
    --profiling_;
    profiling_crashed_ |= is_failure(record.outcome) && !ended_by_itself(record.outcome);
    return;
  }
  running_.erase(order.key.index);
  tally(order, record, fails);
}

void Campaign::take_back(const RunOrder& order) {
  forgive(order);
  --schedules_;
  --tallies_[plan_.rota.policy_at(order.key.index)].schedules;
  running_.insert(order.key.index);
  again_.push_back(order);
}

// Lost runs, and those of the profile, wait where they came from.
void Campaign::give_back(const RunOrder& order) {
  if (order.profiling || order.losses != 0 || order.range != nullptr) {
    again_.push_front(order);
    if (order.profiling) --profiling_;
    if (order.range != nullptr) in_range_ = false;
    return;
  }
  running_.erase(order.key.index);
  given_back_.emplace(order.key.index, order);
  for (auto last = given_back_.find(next_ - 1); last != given_back_.end(); last = given_back_.find(--next_ - 1))
    given_back_.erase(last);
}

void Campaign::drop(const RunOrder& order) {
  if (order.range != nullptr) {
    in_range_ = false;
  } else if (order.profiling) {
    --profiling_;
    dropped_profiling_ = true;
  } else {
    running_.erase(order.key.index);
    dropped_.insert(order.key.index);
  }
}

std::set<uint64_t> Campaign::missing() const {
  std::set<uint64_t> all = running_;
  all.insert(dropped_.begin(), dropped_.end());
  for (const auto& [index, order] : given_back_) all.insert(index);
  return all;
}

void Campaign::learn(const RunOrder& order, const record::RunRecord& record) {
  if (!shows_size(record.outcome)) return;
  threads_ = std::max(threads_, record.created);
  at_once_ = std::max(at_once_, record.at_once);
  own_stacks_.learn(record.own_stacks);
  const Step steps = is_too_long(record) ? settings_.step_budget : record.steps;  // no policy has a say after that
  if (!order.settings.all_memory) steps_ = std::max(steps_, steps);
  const bool marked = record.passed_over != 0 || record.overrides != 0 || !record.repeatable;
  if (!order.settings.all_memory && (!marked || plan_.ranges)) unmarked_steps_ = std::max(unmarked_steps_, steps);
  if (!order.settings.all_memory && marked)
    busy_steps_ = std::max(busy_steps_, steps - std::min(steps, record.waiting_rounds));
  if (order.settings.all_memory || order.settings.learning == Learning::kProfile)
    all_steps_ = std::max(all_steps_, record.steps + record.accesses);
  const auto seen = [](const wire::Patched& p) { return p.sites + p.unread + p.functions; };
  if (seen(record.patched) >= seen(patched_)) patched_ = record.patched;
}

// One whose load was to be a point in this run could not be patched.
void Campaign::note_spin_loops(const RunOrder& order, const record::RunRecord& record) {
  for (const record::SpinLoop& loop : record.spin_loops) {
    record::SpinLoop& known = spin_loops_.try_emplace({loop.place.path, loop.place.offset}, loop).first->second;
    if (is_in(order.spin_loads, loop.load)) known.load = {};
    if (loop.load.module == 0) continue;
    seen_spin_loads_.merge(record::SharedPlaces({loop.load}));
    spins_at_first_ |= order.profiling && !profiling_crashed_ && order.key.index < plan_.profilers.size();
  }
}

record::SpinLoops Campaign::spin_loops() const {
  record::SpinLoops all;
  for (const auto& [place, loop] : spin_loops_) all.push_back(loop);
  return all;
}

bool Campaign::is_too_long(const record::RunRecord& record) const {
  if (record.outcome == OutcomeKind::kStepBudget) return true;
  return settings_.step_budget != 0 && record.steps > settings_.step_budget && !is_failure(record.outcome);
}

// A load that is a point already could not be made one, or does not help: it is no news.
bool Campaign::shows_new_point(const record::RunRecord& record) const {
  const auto is_new = [this](const record::SpinLoop& loop) {
    return loop.load.module != 0 && !is_in(spin_loads_, loop.load);
  };
  if (std::ranges::any_of(record.spin_loops, is_new)) return true;
  const std::vector<SharedPlace>& shown = record.learned.all();
  return !shown.empty() && (places_ == nullptr || !std::ranges::includes(places_->all(), shown));
}

void Campaign::forgive(const RunOrder& order) {
  --failing_;
  PolicyTally& tally = tallies_[plan_.rota.policy_at(order.key.index)];
  --tally.failing;
  tally.failing_at.erase(order.key.index);
}

void Campaign::tally(const RunOrder& order, const record::RunRecord& record, bool fails) {
  PolicyTally& tally = tallies_[plan_.rota.policy_at(order.key.index)];
  ++schedules_;
  all_schedules_ += order.settings.all_memory ? 1 : 0;
  chosen_deadlines_ += record.chosen_deadlines;
  with_chosen_deadline_ += record.chosen_deadlines != 0 ? 1 : 0;
  ++tally.schedules;
  tally.seconds += record.seconds;
  said_turns_[plan_.rota.policy_at(order.key.index)] = record.turns;
  ++tally.obedience[static_cast<size_t>(record.obedience)];
  if (is_too_long(record)) ++too_long_, longest_ = std::max(longest_, record.steps);
  if (!record.parallel) {
    uint64_t& first = hashes_.try_emplace(record.decision_hash, order.key.index).first->second;
    first = std::min(first, order.key.index);
  }
  if (record.order_hash != 0) saturation_.note(order.key.index, record.order_hash);
  const auto hash = record.parallel ? std::nullopt : std::optional(record.decision_hash);
  exhaustion_.note(order.key.index, hash, shows_new_point(record));
  // Where every access is a point, steps are others.
  if (tally.bound && !order.settings.all_memory)
    tally.bound->count({order.key.profile.threads, order.key.profile.steps, order.settings.fairness}, met_by(record));
  saw_deadlines_ |= record.deadlines != 0;
  if (fails) {
    any_failed_ = true;
    ++failing_;
    ++tally.failing;
    tally.failing_at.insert(order.key.index);
    if (!plan_.keep_going) limit_ = std::min(limit_, order.key.index);
  }
  if (shows_size(record.outcome) && !record.parallel) sample(order, record);
}

void Campaign::sample(const RunOrder& order, const record::RunRecord& record) {
  const auto rank = [](const Sample& sample) { return mix64(sample.order.key.index); };
  if (samples_.size() == kSamples && mix64(order.key.index) > rank(*samples_.rbegin())) return;
  samples_.insert({order, record.outcome, record.steps, record.decision_hash});
  if (samples_.size() > kSamples) samples_.erase(std::prev(samples_.end()));
}

std::vector<Sample> Campaign::samples() const { return {samples_.begin(), samples_.end()}; }

}  // namespace snarl::explore
