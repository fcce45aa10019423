// What the program's own mutex says of itself.
#pragma once

#include <pthread.h>

#include "runtime/thread.h"
#include "schedule/operation.h"

namespace snarl {

MutexKind kind_of(const pthread_mutex_t* mutex);

// Memory that held a locked mutex may have become another one, and a mutex may have been
// locked before we had control: brings the model in line with the object.
void reconcile(const pthread_mutex_t* mutex);

// As at_point(), but null for a mutex that other processes share: the model can't know them.
__attribute__((always_inline)) inline Thread* at_mutex_point(const pthread_mutex_t* mutex) {
  constexpr int kSharedBit = 128;  // of __kind
  Thread* self = at_point();
  return self == nullptr || (mutex->__data.__kind & kSharedBit) != 0 ? nullptr : self;
}

}  // namespace snarl
