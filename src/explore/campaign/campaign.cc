#include "explore/campaign/campaign.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"
#include "policy/pct.h"
#include "schedule/epochs.h"
#include "schedule/pair_tour.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kLookAhead = 1 << 16;  // how far indices may run ahead of the slowest run

bool has_bound(const PolicySpec& policy) { return policy::info_of(policy).promises.depth_bound; }

// One that says nothing of turns has its policies in turn.
CampaignPlan with_rota(CampaignPlan plan) {
  if (plan.rota.length() < plan.policies.size()) plan.rota = Rota(plan.policies.size());
  for (uint64_t i = 0; i < plan.rota.length(); ++i) SNARL_CHECK(plan.rota.policy_at(i) < plan.policies.size());
  return plan;
}

// The runs of a policy that chooses pairs in turn are not.
std::vector<bool> drawn_alike(const std::vector<PolicySpec>& policies) {
  std::vector<bool> alike;
  for (const PolicySpec& policy : policies) alike.push_back(!policy::traits_of(policy).sites);
  return alike;
}

}  // namespace

Campaign::Campaign(CampaignPlan plan, const RunSettings& settings)
    : plan_(with_rota(std::move(plan))),
      settings_(settings),
      exhaustion_(plan_.rota, plan_.policies.size()),
      saturation_(plan_.rota, drawn_alike(plan_.policies)),
      said_turns_(plan_.policies.size(), 0),
      turns_(said_turns_) {
  needs_pairs_ = needs(&policy::Traits::sites);
  for (const PolicySpec& policy : plan_.policies) {
    PolicyTally tally{.policy = policy};
    if (has_bound(policy)) tally.bound.emplace(static_cast<int>(parameter(policy, "depth", 1)));
    tallies_.push_back(tally);
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
  if (has_given_back()) return take_given_back();
  if (only_again || !more()) return std::nullopt;
  if (profilings_ < profilings()) return next_profiling();
  if (plan_.ranges) return next_range();
  if (!skip_exhausted()) return std::nullopt;
  if (next_ - finished_below() >= kLookAhead) return std::nullopt;
  const uint64_t index = next_++;
  running_.insert(index);
  return order_for(index);
}

RunOrder Campaign::take_given_back() {
  RunOrder order = std::move(given_back_.extract(given_back_.begin()).mapped());
  running_.insert(order.key.index);
  return order;
}

// Goes on to the next index that is to be run; what is due at those in between is done. False: there is none (now).
bool Campaign::skip_exhausted() {
  for (; more(); ++next_) {
    if ((at_boundary() || at_look()) && outstanding() != 0) return false;
    if (at_look()) look();
    if (at_boundary()) begin_epoch();
    if (!is_exhausted(plan_.rota.policy_at(next_))) return more();
  }
  return false;
}

void Campaign::look() {
  exhaustion_.look([this](uint64_t hash) { return hashes_.at(hash); });
  looked_at_ = next_;
}

// From the next index on.
bool Campaign::has_turns_left(size_t policy) const {
  return turns_[policy] == 0 || plan_.rota.turns_before(next_, policy) < turns_[policy];
}

bool Campaign::is_exhausted(size_t policy) const { return exhaustion_.is_over(policy) || !has_turns_left(policy); }

bool Campaign::is_exhausted() const {
  if (range_exhausted_) return true;
  for (size_t i = 0; i < plan_.policies.size(); ++i)
    if (!is_exhausted(i)) return false;
  return true;
}

RunOrder Campaign::order_for(uint64_t index) const {
  const size_t which = plan_.rota.policy_at(index);
  const PolicySpec& policy = plan_.policies[which];
  const policy::Traits traits = policy::traits_of(policy);
  RunOrder order(settings_);
  order.key = {plan_.seed, index, plan_.rota.turn_at(index), profile_for(policy, plan_.rota.turn_at(index)), policy};
  if (is_sync_only(which))
    order.settings.points = without_memory(order.settings.points);
  else if (learns())
    order_memory(order);
  order.epoch_places = places_;
  order.spin_loads = spin_loads_;
  order.settings.fairness = traits.steady ? 0 : fairness_for(order.key.profile);
  order.settings.parallel = traits.parallel;
  if (traits.counts) order.counts = order.settings.all_memory ? all_counts_ : counts_;
  order.settings.count = traits.counts && counts_at(order);
  order.settings.orders = hashes_order(order);
  order.groups = groups_for(which);
  order.settings.listed_groups = traits.groups ? learned_ : 0;
  if (traits.sites) order_pairs(order);
  order.settings.list_pairs = needs_pairs_;
  return order;
}

void Campaign::order_pairs(RunOrder& order) const {
  order.pairs = known_pairs_;
  order.pairs_since = turns_before_epoch(order);
}

// The policy's.
uint64_t Campaign::turns_before_epoch(const RunOrder& order) const {
  return plan_.rota.turns_before(epochs_.back().first_index, plan_.rota.policy_at(order.key.index));
}

void Campaign::order_memory(RunOrder& order) const {
  const bool most = is_all_memory_turn(order.key.turn) && takes_all_points(order.key.policy);
  order.settings.learning = most ? Learning::kAll : Learning::kOwners;
  order.settings.all_memory = most && has_all_points(order.key.policy);
  if (order.settings.all_memory)
    order.key.profile.steps = all_steps_of_epoch_;
  else
    order.places = places_;
}

bool Campaign::counts_at(const RunOrder& order) const {
  const uint64_t turns = kCountedTurns * (order.settings.all_memory ? kAllMemoryEvery : 1);
  return order.key.turn - turns_before_epoch(order) < turns;
}

// With a point at every plain access the orders are others, and nearly all of them new. Where shared places are points,
// a run has many that need no decision; each of them must be looked at.
bool Campaign::hashes_order(const RunOrder& order) const {
  if (!plan_.orders || order.settings.parallel || order.settings.all_memory) return false;
  return !has_memory_points(settings_.points) || is_ordered_turn(order.key.turn);
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
    if (learns()) places_ = std::make_shared<const record::SharedPlaces>(seen_places_);
    freeze_spin_loads();
  }
  const size_t nth = profilings_++;
  const size_t recount = nth < first_profilings() ? 0 : nth - first_profilings() + 1;
  ++profiling_;
  RunOrder order(settings_);
  order.profiling = true;
  order.places = places_;
  order.spin_loads = spin_loads_;
  order.key = {.seed = combine(plan_.seed, kProfilingSalt), .index = nth, .policy = plan_.profilers[nth % kinds]};
  if (recount != 0) order.key.index = 2 * kinds + recount - 1;
  order.settings.parallel = is_parallel(order.key.policy);
  order.settings.count = true;
  order.settings.listed_groups = learned_;
  order.settings.list_pairs = needs_pairs_;
  if (learns() && recount == 0) order.settings.learning = second ? Learning::kOwners : Learning::kProfile;
  return order;
}

bool Campaign::needs(bool policy::Traits::*what) const {
  return std::ranges::any_of(plan_.policies, [what](const PolicySpec& p) { return policy::traits_of(p).*what; });
}

// In some of its turns.
bool Campaign::has_all_points(const PolicySpec& policy) const {
  return learns() && takes_all_points(policy) && all_steps_of_epoch_ != 0 &&
         all_steps_of_epoch_ <= snarl::most_all_memory_steps(settings_.step_budget);
}

// Where all runs spin, change points among the rounds of the spin loops are wasted. But what comes after the loops
// needs some there. So the two kinds of planning take turns.
Profile Campaign::profile_for(const PolicySpec& policy, uint64_t turn) const {
  Profile seen = epochs_.back().profile;
  if (!has_bound(policy)) return seen;
  if (busy_steps_of_epoch_ != 0 && turn % 2 == 1) seen.steps = busy_steps_of_epoch_;
  return policy::planned_profile(policy, seen);
}

double Campaign::fairness_for(const Profile& profile) const {
  return plan_.fairness.value_or(default_fairness(profile.steps));
}

// What policies say of their turns is honoured from here on, when all earlier runs are finished: so it does not depend
// on the number of workers. The first boundary after a policy's first run comes before its second.
void Campaign::begin_epoch() {
  turns_ = said_turns_;
  Profile profile;
  profile.threads = threads_;
  profile.at_once = at_once_ > kFewAtOnce ? at_once_ : 0;
  own_stacks_.tell(profile.own_stacks);
  profile.steps = unmarked_steps_ != 0 ? unmarked_steps_ : steps_;
  profile.epoch = epochs_.empty() ? 0 : epochs_.back().profile.epoch + 1;
  epochs_.push_back({next_, profile});
  if (learns()) places_ = std::make_shared<const record::SharedPlaces>(seen_places_);
  freeze_spin_loads();
  for (size_t by = 0; by < kGroupings; ++by) {
    known_groups_[by] = groups_.names(static_cast<GroupBy>(by));
    epochs_.back().groups += known_groups_[by]->size();
  }
  if (needs_pairs_) freeze_pairs();
  saturation_.begin_epoch();
  all_steps_of_epoch_ = all_steps_;
  busy_steps_of_epoch_ = unmarked_steps_ != 0 ? 0 : busy_steps_;
  counts_ = std::make_shared<const record::CountTables>(counted_);
  all_counts_ = std::make_shared<const record::CountTables>(all_counted_);
  boundary_ = next_boundary(boundary_);
}

void Campaign::freeze_spin_loads() {
  if (!seen_spin_loads_.all().empty()) spin_loads_ = std::make_shared<const record::SharedPlaces>(seen_spin_loads_);
}

void Campaign::freeze_pairs() {
  if (known_pairs_ != nullptr) note_tried_pairs();
  known_pairs_ = pairs_.freeze(plan_.seed);
}

// By the epoch that ends here.
void Campaign::note_tried_pairs() {
  const EpochProfile& ended = epochs_[epochs_.size() - 2];
  for (size_t i = 0; i < plan_.policies.size(); ++i) {
    if (!policy::traits_of(plan_.policies[i]).sites) continue;
    const uint64_t turns = plan_.rota.turns_before(next_, i) - plan_.rota.turns_before(ended.first_index, i);
    pairs_.note_tried(*known_pairs_, plan_.seed, ended.profile.epoch, draws_before(turns));
  }
}

}  // namespace snarl::explore
