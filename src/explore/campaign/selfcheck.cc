#include "explore/campaign/selfcheck.h"

#include "os/system.h"

namespace snarl::explore {

size_t repetitions_within(double seconds, double run_seconds) {
  constexpr double kMost = 1e6;  // more than anybody samples
  return 1 + static_cast<size_t>(seconds < run_seconds * kMost ? seconds / run_seconds : kMost);
}

bool is_same_run(const Sample& sample, const record::RunRecord& again) {
  return again.outcome == sample.outcome && again.steps == sample.steps && again.decision_hash == sample.decision_hash;
}

report::Repeatable self_check(const std::vector<Sample>& samples, Executor& executor, double seconds,
                              const Stop& stop) {
  report::Repeatable result;
  const double deadline = os::now_seconds() + seconds;
  for (const Sample& sample : samples) {
    if (os::now_seconds() > deadline) break;
    const Expected<record::RunRecord> again = run_to_end(executor, sample.order, stop);
    if (!again) break;
    if (again->outcome == OutcomeKind::kNone) continue;  // killed from outside: says nothing
    ++result.of;
    result.same += is_same_run(sample, *again) ? 1 : 0;
  }
  return result;
}

}  // namespace snarl::explore
