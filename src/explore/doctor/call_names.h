// Names of system calls.
#pragma once

#include <cstdint>
#include <string>

namespace snarl::explore {

// "futex"; "call 451" for one that the census does not know.
std::string call_name(uint64_t number);

}  // namespace snarl::explore
