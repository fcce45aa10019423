#pragma once

#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {

// Locks it, listed while it is held by another. No point and no record of its own.
int take(Thread& self, pthread_mutex_t* mutex, Time until = kNever);

// The calling thread ends: the robust mutexes that it holds have lost their owner.
void abandon_robust(Desk& desk);

}  // namespace snarl::runtime::parallel
