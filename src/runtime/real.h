// The functions that ours stand in front of, as libc has them.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <type_traits>

namespace snarl {

// One row per function: name in Real and symbol, type. Resolved all at once by resolve_real().
#define SNARL_REAL_FUNCTIONS(F)                                                                          \
  F(pthread_create, int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))                 \
  F(pthread_join, int (*)(pthread_t, void**))                                                            \
  F(pthread_detach, int (*)(pthread_t))                                                                  \
  F(pthread_exit, void (*)(void*))                                                                       \
  F(pthread_setname_np, int (*)(pthread_t, const char*))                                                 \
  F(pthread_key_create, int (*)(pthread_key_t*, void (*)(void*)))                                        \
  F(pthread_key_delete, int (*)(pthread_key_t))                                                          \
  F(pthread_mutex_init, int (*)(pthread_mutex_t*, const pthread_mutexattr_t*))                           \
  F(pthread_mutex_destroy, int (*)(pthread_mutex_t*))                                                    \
  F(pthread_mutex_lock, int (*)(pthread_mutex_t*))                                                       \
  F(pthread_mutex_trylock, int (*)(pthread_mutex_t*))                                                    \
  F(pthread_mutex_unlock, int (*)(pthread_mutex_t*))                                                     \
  F(pthread_cond_init, int (*)(pthread_cond_t*, const pthread_condattr_t*))                              \
  F(pthread_cond_destroy, int (*)(pthread_cond_t*))                                                      \
  F(pthread_cond_wait, int (*)(pthread_cond_t*, pthread_mutex_t*))                                       \
  F(pthread_cond_signal, int (*)(pthread_cond_t*))                                                       \
  F(pthread_cond_broadcast, int (*)(pthread_cond_t*))                                                    \
  F(pthread_once, int (*)(pthread_once_t*, void (*)()))                                                  \
  F(sched_yield, int (*)())                                                                              \
  F(sched_getaffinity, int (*)(pid_t, size_t, cpu_set_t*))                                               \
  F(sched_setaffinity, int (*)(pid_t, size_t, const cpu_set_t*))                                         \
  F(pthread_getaffinity_np, int (*)(pthread_t, size_t, cpu_set_t*))                                      \
  F(pthread_setaffinity_np, int (*)(pthread_t, size_t, const cpu_set_t*))                                \
  F(get_nprocs, int (*)())                                                                               \
  F(sysconf, long (*)(int))                                                                              \
  F(exit, void (*)(int))                                                                                 \
  F(_exit, void (*)(int))                                                                                \
  F(_Exit, void (*)(int))                                                                                \
  F(quick_exit, void (*)(int))                                                                           \
  F(fork, pid_t (*)())                                                                                   \
  F(__assert_fail, void (*)(const char*, const char*, unsigned, const char*))                            \
  F(__assert_perror_fail, void (*)(int, const char*, unsigned, const char*))                             \
  F(__cxa_thread_atexit_impl, int (*)(void (*)(void*), void*, void*))                                    \
  F(__libc_start_main, int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*))

struct Real {
#define SNARL_DECLARE(name, ...) std::type_identity_t<__VA_ARGS__> name;
  SNARL_REAL_FUNCTIONS(SNARL_DECLARE)
#undef SNARL_DECLARE
  bool resolved;
};

// Zero until resolve_real(); a hook that may run before our constructor uses real().
extern Real real_table;

void resolve_real();

inline const Real& real() {
  if (__builtin_expect(!real_table.resolved, 0)) resolve_real();
  return real_table;
}

}  // namespace snarl
