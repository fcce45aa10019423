// Which policy found how much: one row per policy, for the summary.
#pragma once

#include <string>

#include "report/summary.h"

namespace snarl::report {

// "0.97", "0.9999", "0.003": rounded down, as it is a lower bound.
std::string bound_text(double probability);

// "2.00 %", "0 %", "3.1e-05 %"
std::string percent_text(double rate);

// Header and rows, each indented by two and ended by a newline: schedules, failing ones, hit rate with its
// exact 95% interval, and how many schedules of its own the policy needed for the first failure.
std::string policy_table(const Summary& summary);

}  // namespace snarl::report
