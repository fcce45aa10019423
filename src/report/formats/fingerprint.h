// What tells a finding from others even after the program was edited and built again. Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

// 16 hex digits of the kind, the functions and the files that the failure is made of: no lines, no addresses, no
// letters that snarl gave to objects, and nothing that differs from schedule to schedule. Unlike
// FindingHead::signature, which has offsets in the program's file, it stays the same in the next build.
std::string fingerprint(const Finding& finding);

}  // namespace snarl::report
