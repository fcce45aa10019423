// The environment that a tested process starts with.
#pragma once

#include <string>
#include <vector>

#include "explore/target/target.h"

namespace snarl::explore {

// "SNARL_WIRE=<memfd>,<control>"
std::string wire_variable(int wire_fd, int control_fd);

// The library that stands in front of the program's allocator, beside the runtime.
std::string heap_library(const std::string& runtime);

// `user` with the runtime first in LD_PRELOAD, before the user's own libraries. A sanitizer
// insists on being the very first, so it comes before us where the program or the user has one.
std::vector<std::string> with_preload(const std::vector<std::string>& user, const std::string& runtime,
                                      const Target& target);

}  // namespace snarl::explore
