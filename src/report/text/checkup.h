// What `snarl doctor` says to people. Pure.
#pragma once

#include <string>

#include "report/checkup.h"
#include "report/text/options.h"

namespace snarl::report {

// The verdict first.
std::string checkup_text(const Checkup& checkup, const TextOptions& options = {});

}  // namespace snarl::report
