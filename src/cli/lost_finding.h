// A finding that could not be stored (a full disk), as text that has all of it: the report, and the schedule to replay.
#pragma once

#include <string>

#include "report/emitter.h"
#include "report/text/options.h"

namespace snarl::cli {

std::string lost_finding_text(const report::Found& found, const report::TextOptions& options);

}  // namespace snarl::cli
