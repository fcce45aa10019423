// The files that policies name: libraries of plugins, directives of obey.
#pragma once

#include <vector>

#include "base/error.h"
#include "explore/target/setup.h"
#include "schedule/run.h"

namespace snarl::explore {

// Reads and checks them, and puts them where every process of an exploration finds them. Paths of libraries become
// absolute.
Status load_policy_files(std::vector<PolicySpec>& policies, Setup& setup);

}  // namespace snarl::explore
