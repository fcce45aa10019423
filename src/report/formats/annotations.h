// Workflow commands, with which GitHub Actions shows findings at their source lines. Pure.
#pragma once

#include <string>

#include "report/formats/results.h"

namespace snarl::report {

// One line for each finding, ::error or (not confirmed) ::warning; and ::error if there is no verdict. Empty: nothing
// to say.
std::string annotations_text(const Results& results);

}  // namespace snarl::report
