// The rows of the schedule table in words. Pure.
#pragma once

#include <string>

#include "report/document.h"
#include "report/finding.h"
#include "report/text/act_words.h"

namespace snarl::report {

// `headline` is what the row of the failure says.
DocumentRow told(const FindingRow& row, const ActWords& words, const std::string& headline);

}  // namespace snarl::report
