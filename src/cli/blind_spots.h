// Files of a program that races can't be seen in.
#pragma once

#include <vector>

#include "explore/target/setup.h"
#include "os/guard.h"
#include "report/summary.h"

namespace snarl::cli {

// Of the program and the libraries that it is linked with, those that were built without hooks; not the C and C++
// runtimes. A note of the summary for each, with that number of schedules.
std::vector<report::SummaryNote> blind_spots(const explore::Setup& setup, uint64_t schedules, os::Guard& guard);

}  // namespace snarl::cli
