// What a report calls a thread.
#pragma once

#include <cstdint>
#include <string>

namespace snarl::report {

// "main", "T1"
inline std::string thread_name(uint32_t ordinal) { return ordinal == 0 ? "main" : "T" + std::to_string(ordinal); }

}  // namespace snarl::report
