// Can snarl work where it was started? What is missing is said in one sentence, before anything is started.
#pragma once

#include "base/error.h"

namespace snarl::explore {

// /proc is there, stacks are large enough, and files may grow. Otherwise an error with exit code 125.
Status check_surroundings();

}  // namespace snarl::explore
