// SNARL_SOMETIMES: conditions that should be true in some schedule.
//
// Sites register before main, in the test's own process; what schedules say of them is in memory that all share.
#pragma once

#include <cstdint>
#include <string>

namespace snarl::library {

// From here on the sites are counted anew. False if there is no memory for it.
bool begin_sometimes();

// The sites that were reached since then, or stand in a function whose name contains `within`, and were never true; a
// sentence for each. Empty `within`: only those that were reached.
std::string never_true(const std::string& within);

}  // namespace snarl::library
