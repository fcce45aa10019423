// What the program's own mutex says of itself.
#pragma once

#include <pthread.h>

#include "runtime/thread.h"
#include "schedule/operation.h"

namespace snarl {

MutexKind kind_of(const pthread_mutex_t* mutex);
uint8_t traits_of(const pthread_mutex_t* mutex);  // Op::traits

// Memory that held a locked mutex may have become another one, and a mutex may have been
// locked before we had control: brings the model in line with the object.
void reconcile(const pthread_mutex_t* mutex);

// The kernel, which hands on a priority-inheriting mutex whose owner died, writes the carrier's tid into it.
void put_fiber_into(pthread_mutex_t* mutex);

// The program has made a process that may hold or wait for what is process-shared.
void note_other_process();
// Is an object with this attribute to be left to libc? The model can't know other processes.
bool is_shared(bool attribute);

// As at_point(), but null for a mutex that other processes share. One that
// was destroyed is left to libc as well, once that was written down.
Thread* at_mutex_point(const pthread_mutex_t* mutex, OpKind kind, uint64_t pc);

}  // namespace snarl
