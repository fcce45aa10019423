#include "explore/campaign/saturation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/hash.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kFewRuns = 30;  // say nothing about a distribution

double most_of(std::span<const OrderTally> tallies) {
  double most = 0;
  for (const OrderTally& tally : tallies) most = std::max(most, least_orders(tally));
  return most;
}

}  // namespace

double least_orders(const OrderTally& tally) {
  const auto seen = static_cast<double>(tally.distinct);
  if (tally.runs < kFewRuns) return seen;
  const auto runs = static_cast<double>(tally.runs), once = static_cast<double>(tally.once),
             twice = static_cast<double>(tally.twice);
  return seen + (runs - 1) / runs * once * (once - 1) / (2 * (twice + 1));
}

void Saturation::begin_epoch() {
  least_before_ = most_of(tallies_);
  std::ranges::fill(tallies_, OrderTally());
  times_.clear();
}

void Saturation::note(uint64_t index, uint64_t order) {
  ++runs_;
  uint64_t& first = first_.try_emplace(order, index).first->second;
  first = std::min(first, index);
  const uint64_t policy = rota_.policy_at(index);
  if (alike_[policy]) tallies_[policy].add(times_[combine(order, policy)]++);
}

void Saturation::take(RangeOrders orders) {
  ranges_ = std::move(orders);
  for (size_t i = 0; i < std::min(alike_.size(), ranges_.tallies.size()); ++i)
    if (!alike_[i]) ranges_.tallies[i] = {};
}

uint64_t Saturation::last_new() const {
  if (ranges_.runs != 0) return ranges_.last_new;
  uint64_t last = 0;
  for (const auto& [order, index] : first_) last = std::max(last, index);
  return last;
}

report::SeenOrders Saturation::sum_up(uint64_t end) const {
  const std::span<const OrderTally> tallies = ranges_.runs != 0 ? std::span(ranges_.tallies) : std::span(tallies_);
  report::SeenOrders orders{.schedules = ranges_.runs != 0 ? ranges_.runs : runs_, .distinct = distinct()};
  if (orders.schedules == 0) return orders;
  const double least = std::max(most_of(tallies), least_before_);
  const auto seen = static_cast<double>(orders.distinct);
  orders.left = least > seen ? static_cast<uint64_t>(std::floor(least - seen)) : 0;
  orders.quiet = end > last_new() ? end - last_new() - 1 : 0;
  return orders;
}

}  // namespace snarl::explore
