// What a thread finds when it begins, for a fiber in which another one has lived.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// In the fiber itself: thread-local variables as their images say, no thread-specific values, no errno, nothing of
// the last thread's cancellation.
void renew(Fiber& fiber);

}  // namespace snarl::runtime::fiber
