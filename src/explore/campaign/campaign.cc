#include "explore/campaign/campaign.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"
#include "policy/pct.h"
#include "schedule/epochs.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kLookAhead = 1 << 16;  // how far indices may run ahead of the slowest run

// A run that was cut short by a limit says nothing about the program's size.
bool shows_size(OutcomeKind kind) {
  return kind != OutcomeKind::kTimeout && kind != OutcomeKind::kStepBudget && kind != OutcomeKind::kLivelock &&
         kind != OutcomeKind::kNone;
}

bool has_bound(const PolicySpec& policy) { return policy_name(policy) == "pct" || policy_name(policy) == "ppct"; }

Met met_by(const record::RunRecord& record) {
  return {.time_out = record.timeouts != 0,
          .passed_over = record.passed_over != 0,
          .starvation = record.overrides != 0,
          .watchdog = !record.repeatable};
}

}  // namespace

bool Campaign::BySample::operator()(const Sample& a, const Sample& b) const {
  return mix64(a.order.key.index) < mix64(b.order.key.index);
}

Campaign::Campaign(CampaignPlan plan, const RunSettings& settings)
    : plan_(std::move(plan)), settings_(settings), exhaustion_(plan_.policies.size()) {
  SNARL_CHECK(!plan_.policies.empty());
  for (const PolicySpec& policy : plan_.policies) {
    PolicyTally tally{.policy = policy};
    if (has_bound(policy)) tally.bound.emplace(static_cast<int>(parameter(policy, "depth", 1)));
    tallies_.push_back(tally);
    turns_.push_back(policy::traits_of(policy).turns);
    if (const policy::Traits traits = policy::traits_of(policy); traits.groups)
      learned_ |= 1u << static_cast<uint32_t>(traits.group_by);
  }
}

bool Campaign::more() const {
  if (stopped_ || is_exhausted()) return false;
  return (plan_.schedules == 0 || next_ < plan_.schedules) && next_ <= limit_;
}

std::optional<RunOrder> Campaign::next(bool only_again) {
  if (!again_.empty()) {
    RunOrder order = again_.front();
    again_.pop_front();
    if (order.profiling) ++profiling_;
    return order;
  }
  if (only_again || !more()) return std::nullopt;
  if (profilings_ < profilings()) return next_profiling();
  if (!skip_exhausted()) return std::nullopt;
  if (next_ - finished_below() >= kLookAhead) return std::nullopt;
  const uint64_t index = next_++;
  running_.insert(index);
  return order_for(index);
}

// Goes on to the next index that is to be run; what is due at those in between is done. False: there is none (now).
bool Campaign::skip_exhausted() {
  for (; more(); ++next_) {
    if ((at_boundary() || at_look()) && outstanding() != 0) return false;
    if (at_look()) exhaustion_.look([this](uint64_t hash) { return hashes_.at(hash); }), looked_at_ = next_;
    if (at_boundary()) begin_epoch();
    if (!is_exhausted(next_ % plan_.policies.size())) return more();
  }
  return false;
}

// From the next index on.
bool Campaign::has_turns_left(size_t policy) const {
  const uint64_t turns = turns_[policy], count = plan_.policies.size();
  const uint64_t index = next_ + (policy + count - next_ % count) % count;
  return turns == 0 || index / count < turns;
}

bool Campaign::is_exhausted(size_t policy) const { return exhaustion_.is_over(policy) || !has_turns_left(policy); }

bool Campaign::is_exhausted() const {
  for (size_t i = 0; i < plan_.policies.size(); ++i)
    if (!is_exhausted(i)) return false;
  return true;
}

RunOrder Campaign::order_for(uint64_t index) const {
  const size_t which = index % plan_.policies.size();
  const PolicySpec& policy = plan_.policies[which];
  const policy::Traits traits = policy::traits_of(policy);
  RunOrder order(settings_);
  order.key = {plan_.seed, index, index / plan_.policies.size(), profile_for(policy), policy};
  if (learns()) order_memory(order);
  const bool obeys = policy_name(policy) == "obey";  // a directive leaves nothing to overrule
  order.settings.fairness = obeys ? 0 : fairness_for(order.key.profile);
  order.settings.parallel = is_parallel(policy);
  if (traits.counts) order.counts = order.settings.all_memory ? all_counts_ : counts_;
  order.settings.count = traits.counts && counts_at(order);
  order.groups = groups_for(which);
  order.settings.listed_groups = traits.groups ? learned_ : 0;
  return order;
}

void Campaign::order_memory(RunOrder& order) const {
  const bool most = is_all_memory_turn(order.key.turn) && takes_all_points(order.key.policy);
  order.settings.learning = most ? Learning::kAll : Learning::kOwners;
  order.settings.all_memory =
      most && all_steps_of_epoch_ != 0 && all_steps_of_epoch_ <= snarl::most_all_memory_steps(settings_.step_budget);
  if (order.settings.all_memory)
    order.key.profile.steps = all_steps_of_epoch_;
  else
    order.places = places_;
}

bool Campaign::counts_at(const RunOrder& order) const {
  const uint64_t turns = kCountedTurns * (order.settings.all_memory ? kAllMemoryEvery : 1);
  return order.key.index - epochs_.back().first_index < turns * plan_.policies.size();
}

std::shared_ptr<const record::GroupNames> Campaign::groups_for(size_t policy) const {
  if (const auto named = named_groups_.find(policy); named != named_groups_.end()) return named->second;
  const policy::Traits traits = policy::traits_of(plan_.policies[policy]);
  return traits.groups ? known_groups_[static_cast<size_t>(traits.group_by)] : nullptr;
}

void Campaign::name_groups(size_t policy, record::GroupNames groups) {
  named_groups_[policy] = std::make_shared<const record::GroupNames>(std::move(groups));
}

std::optional<RunOrder> Campaign::next_profiling() {
  const size_t kinds = plan_.profilers.size();
  const bool second = profilings_ >= kinds;
  if (profilings_ == kinds) {
    if (outstanding() != 0) return std::nullopt;
    places_ = std::make_shared<const record::SharedPlaces>(seen_places_);
  }
  const size_t nth = profilings_++;
  ++profiling_;
  RunOrder order(settings_);
  order.profiling = true;
  order.places = places_;
  order.key = {.seed = combine(plan_.seed, kProfilingSalt), .index = nth, .policy = plan_.profilers[nth % kinds]};
  order.settings.parallel = is_parallel(order.key.policy);
  order.settings.count = true;
  order.settings.listed_groups = learned_;
  if (learns()) order.settings.learning = second ? Learning::kOwners : Learning::kProfile;
  return order;
}

Profile Campaign::profile_for(const PolicySpec& policy) const {
  const Profile& seen = epochs_.back().profile;
  return has_bound(policy) ? policy::planned_profile(policy, seen) : seen;
}

double Campaign::fairness_for(const Profile& profile) const {
  return plan_.fairness.value_or(default_fairness(profile.steps));
}

void Campaign::begin_epoch() {
  Profile profile;
  profile.threads = threads_;
  profile.steps = unmarked_steps_ != 0 ? unmarked_steps_ : steps_;
  profile.epoch = static_cast<uint32_t>(epochs_.size());
  epochs_.push_back({next_, profile});
  if (learns()) places_ = std::make_shared<const record::SharedPlaces>(seen_places_);
  for (size_t by = 0; by < kGroupings; ++by) {
    known_groups_[by] = groups_.names(static_cast<GroupBy>(by));
    epochs_.back().groups += known_groups_[by]->size();
  }
  all_steps_of_epoch_ = all_steps_;
  counts_ = std::make_shared<const record::CountTables>(counted_);
  all_counts_ = std::make_shared<const record::CountTables>(all_counted_);
  boundary_ = next_boundary(boundary_);
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
  learn(order, record);
  seen_places_.merge(record.learned);
  if (order.settings.count) (order.settings.all_memory ? all_counted_ : counted_).merge(record.counts);
  if (order.profiling) {
    --profiling_;
    profiling_crashed_ |= is_failure(record.outcome) && record.outcome != OutcomeKind::kExit;
    return;
  }
  running_.erase(order.key.index);
  tally(order, record, fails);
}

void Campaign::learn(const RunOrder& order, const record::RunRecord& record) {
  if (!shows_size(record.outcome)) return;
  threads_ = std::max(threads_, record.created);
  const Step steps = is_too_long(record) ? settings_.step_budget : record.steps;  // no policy has a say after that
  if (!order.settings.all_memory) steps_ = std::max(steps_, steps);
  const bool marked = record.passed_over != 0 || record.overrides != 0 || !record.repeatable;
  if (!order.settings.all_memory && !marked) unmarked_steps_ = std::max(unmarked_steps_, steps);
  if (order.settings.all_memory || order.settings.learning == Learning::kProfile)
    all_steps_ = std::max(all_steps_, record.steps + record.accesses);
  const auto seen = [](const wire::Patched& p) { return p.sites + p.unread + p.functions; };
  if (seen(record.patched) >= seen(patched_)) patched_ = record.patched;
}

bool Campaign::is_too_long(const record::RunRecord& record) const {
  if (record.outcome == OutcomeKind::kStepBudget) return true;
  return settings_.step_budget != 0 && record.steps > settings_.step_budget && !is_failure(record.outcome);
}

bool Campaign::shows_new_point(const record::RunRecord& record) const {
  const std::vector<SharedPlace>& shown = record.learned.all();
  return !shown.empty() && (places_ == nullptr || !std::ranges::includes(places_->all(), shown));
}

void Campaign::forgive(const RunOrder& order) {
  --failing_;
  PolicyTally& tally = tallies_[order.key.index % tallies_.size()];
  --tally.failing;
  tally.failing_at.erase(order.key.index);
}

void Campaign::tally(const RunOrder& order, const record::RunRecord& record, bool fails) {
  PolicyTally& tally = tallies_[order.key.index % tallies_.size()];
  ++schedules_;
  all_schedules_ += order.settings.all_memory ? 1 : 0;
  chosen_deadlines_ += record.chosen_deadlines;
  with_chosen_deadline_ += record.chosen_deadlines != 0 ? 1 : 0;
  ++tally.schedules;
  tally.seconds += record.seconds;
  ++tally.obedience[static_cast<size_t>(record.obedience)];
  if (is_too_long(record)) ++too_long_, longest_ = std::max(longest_, record.steps);
  if (!record.parallel) {
    uint64_t& first = hashes_.try_emplace(record.decision_hash, order.key.index).first->second;
    first = std::min(first, order.key.index);
  }
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
  samples_.insert({order, record.outcome, record.steps, record.decision_hash});
  if (samples_.size() > kSamples) samples_.erase(std::prev(samples_.end()));
}

std::vector<Sample> Campaign::samples() const { return {samples_.begin(), samples_.end()}; }

}  // namespace snarl::explore
