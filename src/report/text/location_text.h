// How places look in a report.
#pragma once

#include <string>

#include "report/location.h"

namespace snarl::report {

// "bank.cc:21"; without a source line "transfer+0x1f" or "bank+0x11c9"; empty: nothing is known.
std::string place_text(const Location& location);

// "bank.cc:22 transfer()"
std::string place_and_function(const Location& location);

// "transfer", or what stands for it where there are no symbols.
std::string function_text(const Location& location);

// The path as shown in stacks: "src/bank.cc:21".
std::string path_text(const Location& location);

}  // namespace snarl::report
