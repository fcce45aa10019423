// All texts of a finding, one by one. Pure.
#pragma once

#include <functional>
#include <string>

#include "report/finding.h"

namespace snarl::report {

// May it have several lines: what the program said, or wrote? All others are names, places and the like.
enum class Lines : bool { kOne, kMany };

void for_each_text(Finding& finding, const std::function<void(std::string&, Lines)>& change);

// Without control characters and invalid UTF-8 (report/printable.h), so that whatever is shown of it is harmless.
Finding printable(Finding finding);

}  // namespace snarl::report
