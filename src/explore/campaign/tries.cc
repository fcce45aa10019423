#include "explore/campaign/tries.h"

#include <algorithm>

namespace snarl::explore {
namespace {

constexpr double kLeastTime = 0.5, kTimesAsLong = 20;

}  // namespace

bool can_be_tried(const record::RunRecord& failed) {
  return failed.outcome != OutcomeKind::kTimeout && failed.outcome != OutcomeKind::kHang &&
         failed.outcome != OutcomeKind::kLivelock && failed.repeatable && !failed.decisions.empty() &&
         failed.decisions.size() == failed.switches;
}

double time_of_try(const record::RunRecord& failed, const Setup& setup) {
  return std::min(setup.timeout, std::max(kLeastTime, kTimesAsLong * failed.seconds));
}

RunOrder order_like(const record::RunRecord& failed, const RunSettings& settings) {
  RunOrder order(settings);
  order.key = failed.key;
  order.places = failed.places;
  order.spin_loads = failed.spin_loads;
  order.settings.all_memory = failed.settings.all_memory;
  return order;
}

}  // namespace snarl::explore
