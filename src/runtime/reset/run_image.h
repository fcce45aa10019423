// The variables of the run (base/state_marks.h), as they were before the first one: they can be put back, so that the
// next run finds them as in a fresh process.
#pragma once

namespace snarl::runtime::run_image {

// Once, before the first run. False: there is no memory for a copy of them.
bool keep();

// Between two runs.
void put_back();

}  // namespace snarl::runtime::run_image
