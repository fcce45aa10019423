// The section of a report that tells the cause. Pure.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/text/paint.h"

namespace snarl::report {

// `finding` has a cause that is known.
std::string cause_lines(const Finding& finding, size_t width, const Paint& paint);

}  // namespace snarl::report
