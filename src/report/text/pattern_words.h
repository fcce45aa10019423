// What happened, in one sentence: known kinds of bugs in words. Pure.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/text/act_words.h"

namespace snarl::report {

// Empty: nothing is known to fit, or the finding says it already.
std::string pattern_sentence(const FindingPattern& pattern, const ActWords& words);

}  // namespace snarl::report
