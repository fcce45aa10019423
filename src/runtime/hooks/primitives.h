// The hooks' insides, for those that have two names: pthread_mutex_lock and mtx_lock, ... `pc` is the
// place of the program's call.
#pragma once

#include <pthread.h>
#include <time.h>

#include <cstdint>

namespace snarl::runtime {

int thread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument,
                  uint64_t pc);
int thread_join(pthread_t handle, void** result, uint64_t pc);
int thread_detach(pthread_t handle, uint64_t pc);
int thread_yield(uint64_t pc);
int thread_sleep(clockid_t id, int flags, const timespec* span, timespec* left, uint64_t pc);  // errno-style

int mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes, uint64_t pc);
int mutex_destroy(pthread_mutex_t* mutex, uint64_t pc);
int mutex_lock(pthread_mutex_t* mutex, uint64_t pc);
int mutex_timedlock(pthread_mutex_t* mutex, const timespec* time, uint64_t pc);
int mutex_trylock(pthread_mutex_t* mutex, uint64_t pc);
int mutex_unlock(pthread_mutex_t* mutex, uint64_t pc);

int cond_init(pthread_cond_t* condvar, const pthread_condattr_t* attributes, uint64_t pc);
int cond_destroy(pthread_cond_t* condvar, uint64_t pc);
int cond_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex, uint64_t pc);
int cond_timedwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, const timespec* time, uint64_t pc);
int cond_signal(pthread_cond_t* condvar, uint64_t pc);
int cond_broadcast(pthread_cond_t* condvar, uint64_t pc);

int run_once(pthread_once_t* control, void (*routine)(), uint64_t pc);

}  // namespace snarl::runtime
