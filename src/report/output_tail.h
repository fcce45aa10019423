// Texts of several lines: wrapping, and the end of what the program wrote. Pure.
#pragma once

#include <string>
#include <vector>

#include "report/finding_head.h"

namespace snarl::report {

// Lines of at most `width` columns, broken at spaces where there are any; at most 12 of them.
std::vector<std::string> wrapped(const std::string& text, size_t width);

// The last lines of stderr (or else what a test framework says of the first failure, or the last lines of stdout) below
// a title; empty if it wrote nothing but `message`, which the report shows anyway.
std::string output_tail(const FindingHead& finding, const std::string& message, size_t width);

}  // namespace snarl::report
