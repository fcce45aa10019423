// What every verb answers by itself: --help, and --print-config with every option, its value and its origin.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/arguments.h"

namespace snarl::cli {

// One line per option: name, value, origin ("flag", a variable, a file and line, or "default").
std::string config_text(const Arguments& arguments);
// The same as JSON, schema snarl.config/1.
std::string config_json(const Arguments& arguments);

// A line for each variable of an environment (words NAME=value) that looks like an option's and is none's.
std::string stray_variables(const std::vector<std::string>& environment);
// Of these, the ones that are close to an option's, as warnings.
std::string misspelt_variables(const std::vector<std::string>& environment);

// The exit code, if the arguments ask for --help or --print-config and the answer was printed.
std::optional<int> answered(const Arguments& arguments, std::string (*help)(),
                            Status (*check)(const Arguments&) = nullptr);

}  // namespace snarl::cli
