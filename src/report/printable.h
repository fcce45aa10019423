// Text that is safe on a terminal, and text that fits. Widths are counted in code points.
// Pure functions; safe on any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snarl::report {

enum class Newlines { kEscape, kKeep };

// Control characters and those that turn or hide text become visible ("\x1b", "\u202e"), a
// tab a space, invalid UTF-8 U+FFFD.
std::string printable(std::string_view text, Newlines newlines = Newlines::kEscape);

size_t columns(std::string_view text);

// Filled with spaces to `width`; never cut.
std::string padded(std::string_view text, size_t width);
std::string padded_left(std::string_view text, size_t width);

// At most `width` columns, the middle replaced by "...": both ends of names and places tell something.
std::string shortened(std::string_view text, size_t width);

// "9,120"
std::string grouped(uint64_t number);

// "1 switch", "2 switches"
std::string counted(uint64_t number, std::string_view one, std::string_view many);

// "0.4 s", "4.7 s", "83 s", "2 h 5 min"
std::string duration(double seconds);

}  // namespace snarl::report
