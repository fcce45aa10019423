// Other programs, such as compilers.
#pragma once

#include <string>
#include <vector>

namespace snarl::coseq {

// The exit code; 127: it can't be started, 126: a signal ended it.
int run_command(const std::vector<std::string>& command);

}  // namespace snarl::coseq
