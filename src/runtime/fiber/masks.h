// Signal masks. The kernel has one for the carrier; each fiber has its own, which is the carrier's while it runs.
//
// As long as all block the same, which is nearly always, a switch costs no system call.
#pragma once

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// A thread may block what others don't, from now on.
extern bool masks_differ;

// That begins: `common` is what all threads have blocked so far.
void let_masks_differ(uint64_t common);

// What the calling thread, or a waiting one, blocks; bit s-1 is signal s.
uint64_t own_mask();
uint64_t mask_of(const Thread& thread);

// As part of a switch.
void swap_masks(Fiber& from, const Fiber& to);

}  // namespace snarl::runtime::fiber
