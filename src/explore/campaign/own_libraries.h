// What is loaded only for our own sake: in library mode, libraries that libsnarl.so needs and the program does not.
#pragma once

#include <set>
#include <span>
#include <string>

#include "schedule/schedule.h"

namespace snarl::explore {

// Their file names without folders; the program is the first module.
std::set<std::string> own_libraries(std::span<const LoadedModule> modules);

}  // namespace snarl::explore
