// Findings of lanes are replayed by `snarl lanes`: their schedule names its words.
#pragma once

#include <optional>

#include "cli/arguments.h"

namespace snarl::cli {

// Stands in a schedule file where the policy of a run would.
constexpr const char* kOfLanes = "lanes";

// Nothing: the schedule that the arguments name is one of a program, or none.
std::optional<int> replay_of_lanes(const Arguments& arguments);

}  // namespace snarl::cli
