// Names of the system calls that we speak of.
#pragma once

#include <cstdint>
#include <string>

namespace snarl::explore {

// "futex"; "call 451" for those that nobody asks about.
std::string call_name(uint64_t number);

}  // namespace snarl::explore
