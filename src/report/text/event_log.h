// The whole schedule of a finding, one line for each row, for `snarl replay --print`. Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

// Nothing is folded: each step with its thread, place and value, each switch with its reason. Up to the step `until`;
// 0: to the end. Every text is cleaned of control characters.
std::string event_log(const Finding& finding, Step until);

}  // namespace snarl::report
