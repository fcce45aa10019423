// The source lines of all places of a finding.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::explain {

// As far as the files are there and are those that `program` was built from.
void fill_sources(report::Finding& f, const std::string& program);

}  // namespace snarl::explain
