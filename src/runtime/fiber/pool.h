// The fibers of this process: those that threads live in, and those that wait for one.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// One for a thread with these attributes (null: the default), from the pool or newly minted. errno-style result.
int take(const pthread_attr_t* attributes, Fiber*& taken);

// No thread lives in it any more. It may be the one that the caller runs on, if that switches away next.
void give_back(Fiber& fiber);

// Mints until so many wait in the pool.
void fill(uint32_t wanted);

}  // namespace snarl::runtime::fiber
