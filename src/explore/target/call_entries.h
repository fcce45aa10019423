// Where calls are counted (the policy speed with events=function): the rule kEveryCall.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/target/function_names.h"
#include "scan/code_image.h"
#include "schedule/run_key.h"

namespace snarl::explore {

// The rule that the policies need, if any of them counts calls.
void add_call_rule(const std::vector<PolicySpec>& policies, std::vector<FunctionRule>& rules);

// Adds the entries of a file's functions, by its unwind tables and symbols, and the slots by which it calls those of
// other files, if a rule wants them. Not of the system's files, which count as one call each time, nor of our hooks.
void add_call_entries(const std::string& file, std::string_view bytes, const scan::CodeImage& image,
                      const std::vector<FunctionRule>& rules, NamedFunctions& named);

}  // namespace snarl::explore
