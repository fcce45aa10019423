// Where the options of a verb come from: flags, then the environment, then snarl.toml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"

namespace snarl::cli {

// Adds what a snarl.toml says for the verb of `arguments`: its [verb] section counts more than the keys above all
// sections. The whole file is checked; errors say `file`:line, what was meant, and have exit code 2. Pure.
Status apply_config(std::string_view text, const std::string& file, Arguments& arguments);

// The snarl.toml of this folder or of the nearest one above it; empty if there is none.
std::string find_config(const std::string& folder);

// The options of a verb from all sources. Reads the environment and the file system.
Expected<Arguments> read_arguments(Verb verb, const std::vector<std::string>& words);

}  // namespace snarl::cli
