// Alternate signal stacks. The kernel has one for the carrier; once a handler may run on one, each fiber has its own.
//
// Ours are disarmed by the kernel while a handler runs on them, so that another one can be set meanwhile.
#pragma once

#include <signal.h>

#include "runtime/fiber/fiber.h"

namespace snarl::runtime::fiber {

// Part of what masks_differ means: a switch swaps these, too.
extern bool stacks_differ;

// The program has a handler for it that wants an alternate stack. One for faults can do with the carrier's: nobody
// else runs before it is done.
void note_handler_on_stack();

// A run begins, in main; a thread begins in this fiber.
void begin_signal_stacks();
void forget_signal_stack(Fiber& fiber);

}  // namespace snarl::runtime::fiber
