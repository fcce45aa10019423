#include "report/text/policy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/printable.h"

namespace snarl::report {
namespace {

using Row = std::vector<std::string>;

Row row_of(const PolicyCount& count) {
  return {printable(count.policy),
          grouped(count.schedules),
          grouped(count.failing_schedules),
          count.schedules == 0 ? "-" : percent_text(count.hit_rate),
          fmt::format("{} to {}", percent_text(count.hit_rate_low), percent_text(count.hit_rate_high)),
          count.first_after ? grouped(*count.first_after) : "-"};
}

std::string aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  std::string text;
  for (const Row& row : rows) {
    text += "  " + padded(row.front(), widths.front());
    for (size_t i = 1; i < row.size(); ++i) text += "  " + padded_left(row[i], widths[i]);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string bound_text(double probability) {
  if (probability >= 0.9999) return "0.9999";
  if (probability < 0.0001) return fmt::format("{:.0e}", probability);
  const double unit = probability > 0.99 || probability < 0.01 ? 10'000 : 100;
  return fmt::format("{}", std::floor(probability * unit) / unit);
}

std::string percent_text(double rate) {
  if (rate == 0) return "0 %";
  if (rate == 1) return "100 %";
  if (rate < 0.0001) return fmt::format("{:.1e} %", rate * 100);
  return fmt::format("{:.2f} %", std::min(rate * 100, 99.99));
}

std::string policy_table(const Summary& summary) {
  std::vector<Row> rows{{"policy", "schedules", "failing", "hit rate", "95% interval", "first after"}};
  for (const PolicyCount& count : summary.policy) rows.push_back(row_of(count));
  return aligned(rows);
}

}  // namespace snarl::report
