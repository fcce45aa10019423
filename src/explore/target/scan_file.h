// Makes the table of patches of one program file: for the runtime, which starts us as a process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "schedule/function_rule.h"

namespace snarl::explore {

// Writes it to the descriptor, and to `cached` (empty: nowhere), where it appears whole or not at all. Functions that
// have the names of the rules are in it as well, and the loads that end at these addresses.
Status scan_file(const std::string& file, int result, const std::string& cached,
                 const std::vector<FunctionRule>& functions, const std::vector<uint64_t>& loads);

// From words of the runtime's (runtime/patch/spin_loads.h).
std::vector<uint64_t> load_list(const std::string& words);

}  // namespace snarl::explore
