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
  if (order.places == nullptr) command.places = 0;
  command.pairs_since = order.pairs_since;
  std::ranges::copy(order.meeting, command.meeting);
}

// The entries from `from` on, which is the end of those of the run before, up to `said`.
template <typename T, size_t kMost>
std::vector<T> next_of(const T (&table)[kMost], uint32_t said, uint32_t& from) {
  const uint32_t begin = from;
  from = std::clamp<uint32_t>(said, begin, kMost);
  return {table + begin, table + from};
}

record::RunRecord read(const RunOrder& order, const wire::EndedRun& run, const wire::State& state) {
  record::RunRecord record;
  record.key = order.key;
  record.settings = order.settings;
  record.places = order.places;
  record::read_counters(run.state, record);
  record::read_patched(state, record);
  record.races_cut = once(run.state.races_cut) != 0;
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
  all.places = all.epoch_places;
  return all;
}

void write_series(const std::vector<RunOrder>& orders, uint64_t first_run, wire::Whole& whole) {
  wire::Series& series = whole.series;
  series.count = static_cast<uint32_t>(std::min<size_t>(orders.size(), wire::kMaxSeries));
  series.stop.store(0, std::memory_order_relaxed);
  series.begun.store(0, std::memory_order_relaxed);
  series.ended = series.sure = series.last_passed = 0;
  series.places = whole.layout.command.places;
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
  uint32_t pairs = 0, learned = 0;
  for (size_t i = 0; i < sure; ++i) {
    end.records.push_back(read(orders[i], series.runs[i], whole.layout.state));
    end.outputs.push_back(once(series.runs[i].output));
    end.records.back().pairs = next_of(series.met_pairs, once(series.runs[i].pairs), pairs);
    end.records.back().learned = record::SharedPlaces(next_of(series.learned, once(series.runs[i].learned), learned));
  }
  end.last_passed = sure < ended || !has_ended || once(series.last_passed) != 0;
  return end;
}

}  // namespace snarl::explore
