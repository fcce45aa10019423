#include "explore/campaign/tries.h"

#include <algorithm>
#include <utility>

#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kLeastTime = 4;  // seconds: a machine that others use may stand still for one
constexpr double kTimesAsLong = 20;
constexpr double kTellEvery = 0.1;  // seconds

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

TryTeller::TryTeller(report::Phase phase, Tell tell)
    : tell_(std::move(tell)), progress_{.phase = phase}, began_(os::now_seconds()) {}

void TryTeller::tried(uint64_t size) {
  ++progress_.schedules;
  progress_.size = size;
  progress_.seconds = os::now_seconds() - began_;
  if (!tell_ || progress_.seconds < told_ + kTellEvery) return;
  told_ = progress_.seconds;
  tell_(progress_);
}

}  // namespace snarl::explore
