// What a thread was doing when the run ended, in words. Pure.
#pragma once

#include "report/document.h"
#include "report/finding.h"
#include "report/text/act_words.h"

namespace snarl::report {

DocumentThread told(const FindingThread& thread, const ActWords& words);

}  // namespace snarl::report
