// Finds the functions that the user named (schedule/function_rule.h) in program files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "explore/target/setup.h"
#include "os/guard.h"
#include "scan/plan.h"
#include "schedule/function_rule.h"

namespace snarl::explore {

struct NamedFunctions {
  std::vector<scan::NamedFunction> functions;  // each once; locks count more than points
  uint64_t matched = 0;                        // bit i: rule i names one of them
};

// A rule for all calls: the entry of every function, and every slot by which a file calls those of others
// (call_entries.h).
constexpr const char* kEveryCall = "*()";
bool is_every_call(const FunctionRule& rule);

// Does the file belong to the system, and not to the program?
bool is_of_system(const std::string& file);

NamedFunctions find_named_functions(const std::string& file, const std::vector<FunctionRule>& rules);

// An error, exit code 2 with the nearest names, if a rule names nothing (`matched` is of all the files that were
// loaded), or a lock of which not every call can be seen.
Status check_all_matched(const Setup& setup, uint64_t matched, os::Guard& guard);

}  // namespace snarl::explore
