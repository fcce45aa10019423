// What the kernel does with robust mutexes when a thread ends; it knows nothing of fibers.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// The thread that lived in it has ended: robust mutexes that it still holds say that their owner died.
void abandon_robust_mutexes(Fiber& fiber);

}  // namespace snarl::runtime::fiber
