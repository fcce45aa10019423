#include "explain/diagnose/switch_rows.h"

#include <algorithm>
#include <utility>

#include "explain/diagnose/objects.h"
#include "schedule/ordinal.h"

namespace snarl::explain {
namespace {

report::FindingRow switch_row(const Decision& d, Places& places) {
  report::FindingRow row{.kind = report::RowKind::kSwitch, .step = d.step, .thread = d.from};
  row.act = ObjectTable::only(d.kind);
  row.reason = d.reason;
  row.place = places.place(d.pc);
  return row;
}

}  // namespace

uint32_t end_of_way(const std::vector<Decision>& decisions, size_t i) {
  while (is_timer_ordinal(decisions[i].to) && i + 1 < decisions.size() && decisions[i + 1].from == decisions[i].to) ++i;
  return decisions[i].to;
}

report::FindingRow timeout_row(const Decision& d) {
  report::FindingRow row{.kind = is_alarm_ordinal(d.to) ? report::RowKind::kAlarm : report::RowKind::kTimedOut,
                         .step = d.step + 1,
                         .thread = thread_ordinal(d.to)};
  row.act.kind = OpKind::kTimeout;
  return row;
}

std::vector<report::FindingRow> switch_rows(const record::RunRecord& r, Places& places) {
  std::vector<report::FindingRow> rows;
  for (size_t i = 0; i < r.decisions.size(); ++i) {
    const Decision& d = r.decisions[i];
    const bool stops = !is_timer_ordinal(d.from) && end_of_way(r.decisions, i) != d.from;
    if (stops) rows.push_back(switch_row(d, places));
    if (is_timer_ordinal(d.to)) rows.push_back(timeout_row(d));
  }
  return rows;
}

void add_lost_switches(report::Finding& f, const record::RunRecord& r, Places& places) {
  std::vector<report::FindingRow> rows = switch_rows(r, places);
  const auto first = std::ranges::find_if(r.events, [](const Event& e) { return e.step != 0; });
  const Step known = first == r.events.end() || f.rows_lost == 0 ? 0 : first->step;
  std::erase_if(rows, [known](const report::FindingRow& row) { return row.step >= known; });
  Step before = 0;
  for (report::FindingRow& row : rows) {
    row.skipped = std::min(row.step - before, f.rows_lost);
    f.rows_lost -= row.skipped;
    before = row.step;
  }
  if (!rows.empty()) f.rows.front().skipped = std::exchange(f.rows_lost, 0);
  f.rows.insert(f.rows.begin(), rows.begin(), rows.end());
}

}  // namespace snarl::explain
