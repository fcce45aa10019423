// The libraries that the loader would load for a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "explore/target/setup.h"
#include "os/guard.h"

namespace snarl::explore {

struct Library {
  std::string name;  // as it is asked for
  std::string path;  // empty: not found
};

// The lines of `ld.so --list`, as ldd shows them. Pure.
std::vector<Library> parse_loader_list(std::string_view text);

// Asks the program's own loader, which runs none of the program's code.
Expected<std::vector<Library>> loaded_libraries(const Setup& setup, const std::string& loader, os::Guard& guard);

}  // namespace snarl::explore
