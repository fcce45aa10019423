// The files that a tested process had loaded, in the form that schedules use.
#pragma once

#include <span>
#include <vector>

#include "schedule/schedule.h"
#include "wire/layout.h"

namespace snarl::record {

// Entries that are not a valid module are left out.
std::vector<LoadedModule> loaded_modules(std::span<const wire::Module> modules);

}  // namespace snarl::record
