// What the program's own objects say of their use: marks that a destroyed one bears, and whether it is locked.
//
// A destroyed object may be anything (POSIX), and its memory may become another object without any call
// that we see: a std::mutex has no constructor that calls us. So a destroyed object is known by a mark
// inside it, which every way to make a new one there overwrites. glibc's mutexes and condition variables
// bear one; into the others, whose destroy does nothing, we write one where they have room to spare.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include "schedule/misuse.h"

namespace snarl::runtime {

bool is_destroyed(const pthread_mutex_t* mutex);
bool is_destroyed(const pthread_cond_t* condvar);
bool is_destroyed(const pthread_rwlock_t* lock);
bool is_destroyed(const sem_t* semaphore);
bool is_destroyed(const pthread_barrier_t* barrier);

void mark_destroyed(pthread_rwlock_t* lock);
void mark_destroyed(sem_t* semaphore);
void mark_destroyed(pthread_barrier_t* barrier);

// Their init leaves the place of the mark alone.
void unmark(sem_t* semaphore);
void unmark(pthread_barrier_t* barrier);

// The object lies in memory that is about to be freed. Where the mark is, libc's free writes next to never, and whoever
// makes a new object there does.
constexpr uint64_t kFreedMarkEnd = 32;  // bytes of the object that must be there
void mark_freed(uint64_t object);
bool is_freed(const void* object);

bool is_locked(const pthread_rwlock_t* lock);

// Does the object itself bear out what the model suspects? `tid` is the calling thread's.
bool is_borne_out(const Misuse& misuse, int tid);

}  // namespace snarl::runtime
