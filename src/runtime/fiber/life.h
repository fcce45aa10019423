// The lives of threads in a fiber, one after the other.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// On the fiber, when it is switched to for the first time. Never returns.
void live_in(Fiber& fiber);

}  // namespace snarl::runtime::fiber
