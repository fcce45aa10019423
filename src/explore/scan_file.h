// Makes the table of patches of one program file: for the runtime, which starts us as a process of its own.
#pragma once

#include <string>

#include "base/error.h"

namespace snarl {

// Writes it to the descriptor, and to `cached` (empty: nowhere), where it appears whole or not at all.
Status scan_file(const std::string& file, int result, const std::string& cached);

}  // namespace snarl
