// SARIF 2.1.0, for code scanning: one result for each finding, with one thread flow for each of its threads. Pure.
#pragma once

#include <string>

#include "report/formats/results.h"

namespace snarl::report {

// ASCII. docs/formats/sarif.md says what is where.
std::string sarif_text(const Results& results);

}  // namespace snarl::report
