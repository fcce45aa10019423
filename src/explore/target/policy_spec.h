// Policies as people write them: "pct:depth=3", "random", "obey:directive=FILE", "./my_policy.so:1,2".
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "schedule/run.h"

namespace snarl::explore {

// NAME[:PARAM=VALUE[,PARAM=VALUE...]] with names and ranges of the catalog; what is not given
// has its default. A name with a slash in it is a library (a plugin), its values are numbers without names.
// An error says at which character, what was expected, and the nearest name (exit code 2).
Expected<PolicySpec> parse_policy(std::string_view text);

// The form that parse_policy reads, with every parameter.
std::string to_string(const PolicySpec& spec);

// The file that the policy reads; an error if the path is too long.
Status set_policy_file(PolicySpec& spec, std::string_view path);

// Value of the parameter of that name, or `otherwise`.
double parameter(const PolicySpec& spec, std::string_view name, double otherwise);
// Do its threads run at the same time?
bool is_parallel(const PolicySpec& spec);
// May some of its runs have more points than the others? Not parallel ones, which learn nothing, nor policies to which
// places mean something: they choose among those that are points in all of their runs.
bool takes_all_points(const PolicySpec& spec);
std::string_view policy_name(const PolicySpec& spec);

}  // namespace snarl::explore
