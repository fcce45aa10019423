// The half of the campaign that hands out ranges of runs (CampaignPlan::ranges).
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "explore/campaign/campaign.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kNoEnd = uint64_t{1} << 62;

}  // namespace

// Runs of a range leave nothing but sums: what policies count is learned by profiling runs, for each epoch anew.
std::optional<RunOrder> Campaign::next_range() {
  if (outstanding() != 0) return std::nullopt;
  if (at_boundary() && next_ != 0 && needs(&policy::Traits::counts) && recounted_at_ != next_ && !profiling_crashed_) {
    recounted_at_ = next_;
    recounts_ += plan_.profilers.size();
    return next_profiling();
  }
  if (at_boundary()) begin_epoch();
  RunOrder order(settings_);
  order.key = {plan_.seed, next_, plan_.rota.turn_at(next_), epochs_.back().profile,
               plan_.policies[plan_.rota.policy_at(next_)]};
  order.settings.list_pairs = needs_pairs_;
  order.pairs = known_pairs_;
  order.settings.fairness = fairness_for(order.key.profile);
  order.places = places_;
  order.spin_loads = spin_loads_;
  order.counts = counts_;
  order.range = range_from(order);
  in_range_ = true;
  return order;
}

// It may go beyond the epoch, if all that the next one takes is n and k.
std::shared_ptr<const wire::BatchOrder> Campaign::range_from(const RunOrder& first) {
  auto range = std::make_shared<wire::BatchOrder>();
  range->end = plan_.schedules == 0 ? kNoEnd : plan_.schedules;
  if (learns() || needs(&policy::Traits::counts)) range->end = std::min(range->end, boundary_);
  range->boundary = boundary_;
  range->threads = threads_;
  range->steps = steps_;
  range->learns = learns() ? 1 : 0;
  range->orders = plan_.orders ? 1 : 0;
  range->all_profile = first.key.profile;
  range->all_profile.steps = std::max<Step>(all_steps_of_epoch_, 1);
  range->forgets_seen = std::exchange(shows_new_points_, false) ? 1 : 0;
  range->rota = plan_.rota;
  range->sync_only = plan_.sync_only;
  range->epoch_begins = epochs_.back().first_index;
  range->policies = static_cast<uint32_t>(plan_.policies.size());
  SNARL_CHECK(range->policies <= wire::kMaxBatchPolicies);
  for (uint32_t i = 0; i < range->policies; ++i) {
    range->policy[i] = plan_.policies[i];
    if (has_all_points(plan_.policies[i]) && !is_sync_only(i)) range->all_memory |= 1u << i;
  }
  return range;
}

void Campaign::end_profiling() {
  --profiling_;
  profilings_ = profilings();
  profiling_crashed_ = true;
}

void Campaign::finished(const RunOrder& range, const RangeSum& sum) {
  const wire::BatchState& state = sum.state;
  in_range_ = false;
  distinct_ = sum.distinct;
  saturation_.take(sum.orders);
  schedules_ += state.schedules;
  for (size_t i = 0; i < tallies_.size(); ++i)
    tallies_[i].schedules += plan_.rota.turns_before(next_ + state.schedules, i) - plan_.rota.turns_before(next_, i);
  next_ += state.schedules;
  learn(state);
  const size_t known = seen_places_.all().size();
  seen_places_.merge(sum.learned);
  pairs_.learn(sum.pairs);
  shows_new_points_ = seen_places_.all().size() != known;
  range_exhausted_ = state.is_exhausted != 0 && !shows_new_points_;
  if (state.boundary == 0 || state.boundary == range.range->boundary) return;  // it stayed in its epoch
  epochs_.push_back({state.boundary / 2, state.profile});
  boundary_ = state.boundary;
}

// No policy has a say beyond the budget: so k is no more than that.
void Campaign::learn(const wire::BatchState& state) {
  threads_ = std::max(threads_, state.most_threads);
  steps_ = std::max(steps_, state.most_steps);
  all_steps_ = std::max(all_steps_, state.most_all_steps);
  too_long_ += state.too_long;
  longest_ = std::max(longest_, state.longest);
  if (state.too_long != 0) steps_ = std::min(steps_, settings_.step_budget);
  unmarked_steps_ = steps_;
}

void Campaign::ended_range(const RunOrder& order) {
  running_.insert(order.key.index);
  next_ = order.key.index + 1;
}

}  // namespace snarl::explore
