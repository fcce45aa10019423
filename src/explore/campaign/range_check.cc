#include "explore/campaign/range_check.h"

#include <fmt/format.h>

#include "explain/signature.h"
#include "explore/campaign/selfcheck.h"

namespace snarl::explore {
namespace {

Sample sample_of(const RunOrder& range, const wire::BatchSample& seen) {
  Sample sample{range, OutcomeKind::kOk, seen.steps, seen.decision_hash};
  sample.order.range = nullptr;
  sample.order.key = seen.key;
  sample.order.pairs_since = range.range->pairs_since(seen.key.index);
  sample.order.settings = seen.settings;
  sample.order.settings.learning = Learning::kNothing;
  return sample;
}

// Of a range that is one epoch, the last sample is enough: it had the most runs before it.
uint32_t first_to_check(const RunOrder& range, const wire::BatchState& state) {
  return state.boundary == range.range->boundary && state.samples > 0 ? state.samples - 1 : 0;
}

}  // namespace

RunOrder order_of_last(const RunOrder& range, const record::RunRecord& last, const Executor& executor) {
  RunOrder order = range;
  order.range = nullptr;
  order.key = last.key;
  order.pairs_since = range.range->pairs_since(last.key.index);
  order.settings = last.settings;
  order.shared = !executor.is_fresh();
  return order;
}

void distrust_if_ended(Executor& executor, const record::RunRecord& last) {
  if (last.outcome == OutcomeKind::kNone)
    executor.distrust("somebody killed the process of a schedule");
  else if (!explain::fails(last) && last.outcome != OutcomeKind::kStepBudget)
    executor.distrust("a schedule ended the process");  // it called exit(0)
}

Status check_range(Executor& executor, const RunOrder& range, const RangeSum& sum, int stop_fd) {
  const wire::BatchState& state = sum.state;
  for (uint32_t i = first_to_check(range, state); i < state.samples && !executor.is_fresh(); ++i) {
    const Sample sample = sample_of(range, state.sample[i]);
    const Expected<record::RunRecord> again = run_to_end(executor, sample.order, stop_fd);
    if (!again) return again.error();
    if (!is_same_run(sample, *again) || explain::fails(*again))
      executor.distrust(fmt::format("the body keeps state: schedule {:#x}:{} went otherwise in a fresh process",
                                    sample.order.key.seed, sample.order.key.index));
  }
  return Done{};
}

void distrust_failure(Executor& executor, const record::RunRecord& record) {
  executor.distrust(
      fmt::format("schedule {:#x}:{} failed only in a process that had run others", record.key.seed, record.key.index));
}

}  // namespace snarl::explore
