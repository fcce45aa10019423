#include "explore/campaign/selfcheck.h"

#include "explore/execute/worker.h"

namespace snarl::explore {

size_t repetitions_within(double seconds, double run_seconds) {
  constexpr double kMost = 1e6;  // more than anybody samples
  return 1 + static_cast<size_t>(seconds < run_seconds * kMost ? seconds / run_seconds : kMost);
}

report::Repeatable self_check(const std::vector<Sample>& samples, const Setup& setup, os::Guard& guard, int cpu,
                              double seconds, int stop_fd) {
  report::Repeatable result;
  const double deadline = os::now_seconds() + seconds;
  const Mode mode = setup.reset == wire::Reset::kFork ? Mode::kFork : Mode::kExec;
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, mode, cpu);
  if (!worker) return result;
  for (const Sample& sample : samples) {
    if (os::now_seconds() > deadline) break;
    const Expected<record::RunRecord> again = run_to_end(**worker, sample.order, stop_fd);
    if (!again) break;
    if (again->outcome == OutcomeKind::kNone) continue;  // killed from outside: says nothing
    ++result.of;
    result.same += again->outcome == sample.outcome && again->steps == sample.steps &&
                   again->decision_hash == sample.decision_hash;
  }
  return result;
}

}  // namespace snarl::explore
