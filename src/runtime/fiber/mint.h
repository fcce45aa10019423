// Making a fiber: libc itself builds all that a thread has, and its OS thread leaves it to us.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// What attributes say of a thread's stack.
Wanted wanted_by(const pthread_attr_t& attributes);

// What pthread_create would do with these attributes (null: the default). errno-style result. When it returns, the
// kernel sees no new thread; the fiber, when it is switched to, runs `live_in(fiber)`, which must not return.
int mint(Fiber& fiber, const pthread_attr_t* attributes, void (*live_in)(Fiber&));

// Gives stack and control block back to libc. Nobody may ever run in it again.
void dissolve(Fiber& fiber);

}  // namespace snarl::runtime::fiber
