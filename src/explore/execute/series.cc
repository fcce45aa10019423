#include "explore/execute/series.h"

#include <algorithm>

#include "record/wire_reader.h"

namespace snarl::explore {
namespace {

template <typename T>
T once(const T& value) {
  return *const_cast<const volatile T*>(&value);
}

void write(const RunOrder& order, uint64_t run, const wire::Command& common, wire::Command& command) {
  command = common;
  command.run = run;
  command.key = order.key;
  command.settings = order.settings;
  if (order.counts == nullptr) command.thread_counts = command.object_counts = 0;
  if (order.pairs == nullptr) command.pairs = 0;
  command.pairs_since = order.pairs_since;
  std::ranges::copy(order.meeting, command.meeting);
}

record::RunRecord read(const RunOrder& order, const wire::EndedRun& run, const wire::State& state) {
  record::RunRecord record;
  record.key = order.key;
  record.settings = order.settings;
  record.places = order.places;
  record::read_counters(run.state, record);
  record::read_patched(state, record);
  if (record.outcome == OutcomeKind::kNone) record.outcome = OutcomeKind::kOk;
  return record;
}

}  // namespace

RunOrder with_all_tables(const std::vector<RunOrder>& orders) {
  RunOrder all = orders.front();
  for (const RunOrder& order : orders) {
    if (all.counts == nullptr) all.counts = order.counts;
    if (all.pairs == nullptr) all.pairs = order.pairs;
  }
  return all;
}

void write_series(const std::vector<RunOrder>& orders, uint64_t first_run, wire::Whole& whole) {
  wire::Series& series = whole.series;
  series.count = static_cast<uint32_t>(std::min<size_t>(orders.size(), wire::kMaxSeries));
  series.stop.store(0, std::memory_order_relaxed);
  series.begun.store(0, std::memory_order_relaxed);
  series.ended = series.sure = series.pairs = series.last_passed = 0;
  for (uint32_t i = 0; i < series.count; ++i) write(orders[i], first_run + i, whole.layout.command, series.orders[i]);
}

// The process may have written anything there.
SeriesEnd read_series(const std::vector<RunOrder>& orders, bool has_ended, const wire::Whole& whole) {
  const wire::Series& series = whole.series;
  SeriesEnd end;
  end.begun = std::min<size_t>(series.begun.load(std::memory_order_acquire), orders.size());
  const size_t ended = std::min<size_t>(once(series.ended), end.begun);
  size_t sure = std::min<size_t>(ended, 1);
  if (has_ended) sure = std::min<size_t>(once(series.sure), ended);
  for (size_t i = 0; i < sure; ++i) {
    end.records.push_back(read(orders[i], series.runs[i], whole.layout.state));
    end.outputs.push_back(once(series.runs[i].output));
  }
  end.last_passed = sure < ended || !has_ended || once(series.last_passed) != 0;
  const size_t pairs = has_ended && sure == ended ? std::min<size_t>(once(series.pairs), kMaxPairs) : 0;
  if (!end.records.empty()) end.records.front().pairs.assign(series.met_pairs, series.met_pairs + pairs);
  return end;
}

}  // namespace snarl::explore
