#include "explore/campaign.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "explore/policy_spec.h"
#include "policy/catalog.h"
#include "schedule/epochs.h"

namespace snarl {
namespace {

constexpr uint64_t kLookAhead = 1 << 16;               // how far indices may run ahead of the slowest run
constexpr uint64_t kLearnBelow = kFirstBoundary * kBoundaryGrowth;  // later runs show little that is new

// A run that was cut short by a limit says nothing about the program's size.
bool shows_size(OutcomeKind kind) {
  return kind != OutcomeKind::kTimeout && kind != OutcomeKind::kStepBudget && kind != OutcomeKind::kLivelock &&
         kind != OutcomeKind::kNone;
}

}  // namespace

double default_fairness(Step k) { return std::min(0.001, 0.05 / static_cast<double>(std::max<Step>(k, 1))); }

bool Campaign::BySample::operator()(const Sample& a, const Sample& b) const {
  return mix64(a.ticket.index) < mix64(b.ticket.index);
}

Campaign::Campaign(CampaignPlan plan) : plan_(std::move(plan)) {
  SNARL_CHECK(!plan_.policies.empty());
  for (const PolicySpec& policy : plan_.policies) {
    PolicyTally tally{.policy = policy};
    if (policy_name(policy) == "pct" || policy_name(policy) == "ppct")
      tally.bound.emplace(static_cast<int>(parameter(policy, "depth", 1)));
    tallies_.push_back(tally);
    if (const Traits traits = traits_of(policy); traits.groups) learned_ |= 1u << static_cast<uint32_t>(traits.group_by);
  }
}

bool Campaign::more() const {
  if (stopped_) return false;
  return (plan_.schedules == 0 || next_ < plan_.schedules) && next_ <= limit_;
}

std::optional<Ticket> Campaign::next(bool only_again) {
  if (!again_.empty()) {
    Ticket ticket = again_.front();
    again_.pop_front();
    if (ticket.profiling) ++profiling_;
    return ticket;
  }
  if (only_again || !more()) return std::nullopt;
  if (profilings_ < profilings()) return next_profiling();
  if (at_boundary()) {
    if (outstanding() != 0) return std::nullopt;
    begin_epoch();
  }
  if (next_ - finished_below() >= kLookAhead) return std::nullopt;
  const uint64_t index = next_++;
  running_.insert(index);
  const size_t which = index % plan_.policies.size();
  const PolicySpec& policy = plan_.policies[which];
  const Profile& profile = epochs_.back().profile;
  const bool obeys = policy_name(policy) == "obey";  // a directive leaves nothing to overrule
  return Ticket{false,
                plan_.seed,
                index,
                policy,
                profile,
                obeys ? 0 : fairness_for(profile),
                traits_of(policy).counts ? counts_ : nullptr,
                index / plan_.policies.size(),
                groups_for(which),
                traits_of(policy).groups ? learned_ : 0,
                places_,
                learning_at(index),
                0};
}

wire::Learning Campaign::learning_at(uint64_t index) const {
  return plan_.learns_places && index < kLearnBelow ? wire::Learning::kOwners : wire::Learning::kNothing;
}

std::shared_ptr<const GroupNames> Campaign::groups_for(size_t policy) const {
  if (const auto named = named_groups_.find(policy); named != named_groups_.end()) return named->second;
  const Traits traits = traits_of(plan_.policies[policy]);
  return traits.groups ? known_groups_[static_cast<size_t>(traits.group_by)] : nullptr;
}

void Campaign::name_groups(size_t policy, GroupNames groups) {
  named_groups_[policy] = std::make_shared<const GroupNames>(std::move(groups));
}

std::optional<Ticket> Campaign::next_profiling() {
  const size_t kinds = plan_.profilers.size();
  const bool second = profilings_ >= kinds;
  if (profilings_ == kinds) {
    if (outstanding() != 0) return std::nullopt;
    places_ = std::make_shared<const SharedPlaces>(seen_places_);
  }
  const size_t nth = profilings_++;
  ++profiling_;
  Ticket ticket{.profiling = true, .seed = combine(plan_.seed, kProfilingSalt), .index = nth,
                .policy = plan_.profilers[nth % kinds], .profile = {}, .learn = learned_, .places = places_};
  if (plan_.learns_places) ticket.learning = second ? wire::Learning::kOwners : wire::Learning::kAll;
  return ticket;
}

double Campaign::fairness_for(const Profile& profile) const {
  return plan_.fairness.value_or(default_fairness(profile.steps));
}

void Campaign::begin_epoch() {
  Profile profile;
  profile.threads = threads_;
  profile.steps = steps_;
  profile.epoch = static_cast<uint32_t>(epochs_.size());
  epochs_.push_back({next_, profile});
  if (plan_.learns_places) places_ = std::make_shared<const SharedPlaces>(seen_places_);
  for (size_t by = 0; by < kGroupings; ++by) {
    known_groups_[by] = groups_.names(static_cast<GroupBy>(by));
    epochs_.back().groups += known_groups_[by]->size();
  }
  if (counts_ == nullptr) counts_ = std::make_shared<const CountTables>(counted_);
  boundary_ = next_boundary(boundary_);
}

void Campaign::finished(const Ticket& ticket, const RunRecord& record, bool fails) {
  groups_.learn(record.groups);
  if (record.outcome == OutcomeKind::kNone && ticket.losses + 1 < kMostLosses) {
    again_.push_back(ticket);
    ++again_.back().losses;
    ++lost_;
    if (ticket.profiling) --profiling_;
    return;
  }
  if (record.outcome == OutcomeKind::kNone) ++lost_;
  if (record.outcome == OutcomeKind::kNone && !ticket.profiling) given_up_.insert(ticket.index);
  learn(record);
  seen_places_.merge(record.learned);
  if (ticket.profiling) {
    --profiling_;
    counted_.merge(record.counts);
    profiling_crashed_ |= is_failure(record.outcome) && record.outcome != OutcomeKind::kExit;
    return;
  }
  running_.erase(ticket.index);
  if (record.outcome != OutcomeKind::kNone) tally(ticket, record, fails);
}

std::set<uint64_t> Campaign::missing() const {
  std::set<uint64_t> missing = given_up_;
  missing.insert(running_.begin(), running_.end());
  return missing;
}

void Campaign::learn(const RunRecord& record) {
  if (!shows_size(record.outcome)) return;
  threads_ = std::max(threads_, record.created);
  steps_ = std::max(steps_, record.steps);
  const auto seen = [](const wire::Patched& p) { return p.sites + p.unread + p.functions; };
  if (seen(record.patched) >= seen(patched_)) patched_ = record.patched;
}

void Campaign::forgive(const Ticket& ticket) {
  --failing_;
  PolicyTally& tally = tallies_[ticket.index % tallies_.size()];
  --tally.failing;
  tally.failing_at.erase(ticket.index);
}

void Campaign::tally(const Ticket& ticket, const RunRecord& record, bool fails) {
  PolicyTally& tally = tallies_[ticket.index % tallies_.size()];
  ++schedules_;
  ++tally.schedules;
  tally.seconds += record.seconds;
  ++tally.obedience[static_cast<size_t>(record.obedience)];
  if (!record.parallel) hashes_.insert(record.decision_hash);
  // A timer that fires is one thread more than n says; a step that fairness chose is not the plan's.
  const bool counts = record.repeatable && record.timeouts == 0 && record.overrides == 0;
  if (tally.bound && shows_size(record.outcome))
    tally.bound->count(ticket.profile.threads, ticket.profile.steps, record.created, record.steps, counts);
  if (fails) {
    ++failing_;
    ++tally.failing;
    tally.failing_at.insert(ticket.index);
    if (!plan_.keep_going) limit_ = std::min(limit_, ticket.index);
  }
  if (shows_size(record.outcome) && !record.parallel) sample(ticket, record);
}

void Campaign::sample(const Ticket& ticket, const RunRecord& record) {
  samples_.insert({ticket, record.outcome, record.steps, record.decision_hash});
  if (samples_.size() > kSamples) samples_.erase(std::prev(samples_.end()));
}

std::vector<Sample> Campaign::samples() const { return {samples_.begin(), samples_.end()}; }

}  // namespace snarl
