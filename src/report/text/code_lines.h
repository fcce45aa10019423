// The source lines that a finding is about, for people who know none of the code. Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

// Of the failure, the sentence, the cause and the deeds; with a title. Empty: no line is known.
std::string code_lines(const Finding& finding, size_t width);

}  // namespace snarl::report
