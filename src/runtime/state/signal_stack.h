// The alternate stack that each thread has for fatal signals: a stack overflow leaves no other to handle it on.
#pragma once

#include <signal.h>

#include "runtime/state/thread.h"

namespace snarl::runtime {

constexpr int kAutoDisarm = static_cast<int>(1u << 31);  // SS_AUTODISARM

// To the calling thread, unless it has one already.
void give_signal_stack(const Thread& self);
stack_t signal_stack_of(const Thread& self);
// ASan brings signal stacks of its own, and unmaps whatever it finds in their place.
bool gives_signal_stacks();

}  // namespace snarl::runtime
