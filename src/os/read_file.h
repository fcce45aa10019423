// A whole file as text.
#pragma once

#include <string>

#include "base/error.h"

namespace snarl::os {

// The error names the file, and has that exit code.
Expected<std::string> read_file(const std::string& path, int exit_code);

}  // namespace snarl::os
