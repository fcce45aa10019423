// JUnit XML, which CI services show as test results. Pure.
#pragma once

#include <string>

#include "report/formats/results.h"

namespace snarl::report {

// One test case named by the command: it passes if nothing was found, fails with the first finding, and is an error if
// there is no verdict. Further findings are test cases of their own. docs/formats/junit.md.
std::string junit_text(const Results& results);

}  // namespace snarl::report
