// The fibers of this process: those that threads live in, and those that wait for one.
#pragma once

#include "runtime/fiber/fiber.h"
#include "schedule/run_key.h"

namespace snarl::runtime::fiber {

// A run begins: what it takes is told in the wire.
void begin();

// One for a thread with these attributes (null: the default), from the pool or newly minted. errno-style result.
int take(const pthread_attr_t* attributes, Fiber*& taken);

// No thread lives in it any more. It may be the one that the caller runs on, if that switches away next.
void give_back(Fiber& fiber);

// All that were made, in that order.
uint32_t count();
const Fiber& nth(uint32_t n);

// Mints until so many wait in the pool: of those with stacks of the default size, and of others.
void fill(uint32_t wanted);
void fill(const OwnStacks& stacks, uint32_t wanted);

}  // namespace snarl::runtime::fiber
