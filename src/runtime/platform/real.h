// The functions that ours stand in front of, as libc has them.
#pragma once

#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include <type_traits>

namespace snarl::runtime {

// One row per function: name in Real and symbol, type. Resolved all at once by resolve_real().
#define SNARL_REAL_FUNCTIONS(F)                                                                             \
  F(pthread_create, int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))                    \
  F(free, void (*)(void*))                                                                                  \
  F(malloc_usable_size, size_t (*)(void*))                                                                  \
  F(dlclose, int (*)(void*))                                                                                \
  F(uselocale, locale_t (*)(locale_t))                                                                      \
  F(pthread_join, int (*)(pthread_t, void**))                                                               \
  F(pthread_detach, int (*)(pthread_t))                                                                     \
  F(pthread_cancel, int (*)(pthread_t))                                                                     \
  F(pthread_testcancel, void (*)())                                                                         \
  F(pthread_setcancelstate, int (*)(int, int*))                                                             \
  F(pthread_setcanceltype, int (*)(int, int*))                                                              \
  F(pthread_tryjoin_np, int (*)(pthread_t, void**))                                                         \
  F(pthread_timedjoin_np, int (*)(pthread_t, void**, const timespec*))                                      \
  F(pthread_clockjoin_np, int (*)(pthread_t, void**, clockid_t, const timespec*))                           \
  F(pthread_mutex_consistent, int (*)(pthread_mutex_t*))                                                    \
  F(pthread_exit, void (*)(void*))                                                                          \
  F(pthread_setname_np, int (*)(pthread_t, const char*))                                                    \
  F(pthread_getattr_np, int (*)(pthread_t, pthread_attr_t*))                                                \
  F(pthread_getcpuclockid, int (*)(pthread_t, clockid_t*))                                                  \
  F(pthread_getschedparam, int (*)(pthread_t, int*, sched_param*))                                          \
  F(pthread_setschedparam, int (*)(pthread_t, int, const sched_param*))                                     \
  F(pthread_setschedprio, int (*)(pthread_t, int))                                                          \
  F(pthread_getname_np, int (*)(pthread_t, char*, size_t))                                                  \
  F(setuid, int (*)(uid_t))                                                                                 \
  F(setgid, int (*)(gid_t))                                                                                 \
  F(seteuid, int (*)(uid_t))                                                                                \
  F(setegid, int (*)(gid_t))                                                                                \
  F(setreuid, int (*)(uid_t, uid_t))                                                                        \
  F(setregid, int (*)(gid_t, gid_t))                                                                        \
  F(setresuid, int (*)(uid_t, uid_t, uid_t))                                                                \
  F(setresgid, int (*)(gid_t, gid_t, gid_t))                                                                \
  F(setgroups, int (*)(size_t, const gid_t*))                                                               \
  F(initgroups, int (*)(const char*, gid_t))                                                                \
  F(sigaltstack, int (*)(const stack_t*, stack_t*))                                                         \
  F(clone, int (*)(int (*)(void*), void*, int, void*, ...))                                                 \
  F(pthread_key_create, int (*)(pthread_key_t*, void (*)(void*)))                                           \
  F(pthread_key_delete, int (*)(pthread_key_t))                                                             \
  F(pthread_mutex_init, int (*)(pthread_mutex_t*, const pthread_mutexattr_t*))                              \
  F(pthread_mutex_destroy, int (*)(pthread_mutex_t*))                                                       \
  F(pthread_mutex_lock, int (*)(pthread_mutex_t*))                                                          \
  F(pthread_mutex_trylock, int (*)(pthread_mutex_t*))                                                       \
  F(pthread_mutex_unlock, int (*)(pthread_mutex_t*))                                                        \
  F(pthread_cond_init, int (*)(pthread_cond_t*, const pthread_condattr_t*))                                 \
  F(pthread_cond_destroy, int (*)(pthread_cond_t*))                                                         \
  F(pthread_cond_wait, int (*)(pthread_cond_t*, pthread_mutex_t*))                                          \
  F(pthread_cond_signal, int (*)(pthread_cond_t*))                                                          \
  F(pthread_cond_broadcast, int (*)(pthread_cond_t*))                                                       \
  F(pthread_mutex_timedlock, int (*)(pthread_mutex_t*, const timespec*))                                    \
  F(pthread_mutex_clocklock, int (*)(pthread_mutex_t*, clockid_t, const timespec*))                         \
  F(pthread_cond_timedwait, int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*))                    \
  F(pthread_cond_clockwait, int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*))         \
  F(pthread_rwlock_init, int (*)(pthread_rwlock_t*, const pthread_rwlockattr_t*))                           \
  F(pthread_rwlock_destroy, int (*)(pthread_rwlock_t*))                                                     \
  F(pthread_rwlock_rdlock, int (*)(pthread_rwlock_t*))                                                      \
  F(pthread_rwlock_wrlock, int (*)(pthread_rwlock_t*))                                                      \
  F(pthread_rwlock_tryrdlock, int (*)(pthread_rwlock_t*))                                                   \
  F(pthread_rwlock_trywrlock, int (*)(pthread_rwlock_t*))                                                   \
  F(pthread_rwlock_timedrdlock, int (*)(pthread_rwlock_t*, const timespec*))                                \
  F(pthread_rwlock_timedwrlock, int (*)(pthread_rwlock_t*, const timespec*))                                \
  F(pthread_rwlock_clockrdlock, int (*)(pthread_rwlock_t*, clockid_t, const timespec*))                     \
  F(pthread_rwlock_clockwrlock, int (*)(pthread_rwlock_t*, clockid_t, const timespec*))                     \
  F(pthread_rwlock_unlock, int (*)(pthread_rwlock_t*))                                                      \
  F(pthread_spin_init, int (*)(pthread_spinlock_t*, int))                                                   \
  F(pthread_spin_destroy, int (*)(pthread_spinlock_t*))                                                     \
  F(pthread_spin_lock, int (*)(pthread_spinlock_t*))                                                        \
  F(pthread_spin_trylock, int (*)(pthread_spinlock_t*))                                                     \
  F(pthread_spin_unlock, int (*)(pthread_spinlock_t*))                                                      \
  F(pthread_barrier_init, int (*)(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned))              \
  F(pthread_barrier_destroy, int (*)(pthread_barrier_t*))                                                   \
  F(pthread_barrier_wait, int (*)(pthread_barrier_t*))                                                      \
  F(sem_init, int (*)(sem_t*, int, unsigned))                                                               \
  F(sem_destroy, int (*)(sem_t*))                                                                           \
  F(sem_wait, int (*)(sem_t*))                                                                              \
  F(sem_trywait, int (*)(sem_t*))                                                                           \
  F(sem_timedwait, int (*)(sem_t*, const timespec*))                                                        \
  F(sem_clockwait, int (*)(sem_t*, clockid_t, const timespec*))                                             \
  F(sem_post, int (*)(sem_t*))                                                                              \
  F(clock_gettime, int (*)(clockid_t, timespec*))                                                           \
  F(gettimeofday, int (*)(timeval*, void*))                                                                 \
  F(time, time_t (*)(time_t*))                                                                              \
  F(nanosleep, int (*)(const timespec*, timespec*))                                                         \
  F(clock_nanosleep, int (*)(clockid_t, int, const timespec*, timespec*))                                   \
  F(usleep, int (*)(useconds_t))                                                                            \
  F(sleep, unsigned (*)(unsigned))                                                                          \
  F(flockfile, void (*)(FILE*))                                                                             \
  F(ftrylockfile, int (*)(FILE*))                                                                           \
  F(funlockfile, void (*)(FILE*))                                                                           \
  F(read, ssize_t (*)(int, void*, size_t))                                                                  \
  F(__read_chk, ssize_t (*)(int, void*, size_t, size_t))                                                    \
  F(readv, ssize_t (*)(int, const iovec*, int))                                                             \
  F(recv, ssize_t (*)(int, void*, size_t, int))                                                             \
  F(__recv_chk, ssize_t (*)(int, void*, size_t, size_t, int))                                               \
  F(recvfrom, ssize_t (*)(int, void*, size_t, int, sockaddr*, socklen_t*))                                  \
  F(recvmsg, ssize_t (*)(int, msghdr*, int))                                                                \
  F(accept, int (*)(int, sockaddr*, socklen_t*))                                                            \
  F(accept4, int (*)(int, sockaddr*, socklen_t*, int))                                                      \
  F(write, ssize_t (*)(int, const void*, size_t))                                                           \
  F(send, ssize_t (*)(int, const void*, size_t, int))                                                       \
  F(sendto, ssize_t (*)(int, const void*, size_t, int, const sockaddr*, socklen_t))                         \
  F(sendmsg, ssize_t (*)(int, const msghdr*, int))                                                          \
  F(poll, int (*)(pollfd*, nfds_t, int))                                                                    \
  F(__poll_chk, int (*)(pollfd*, nfds_t, int, size_t))                                                      \
  F(ppoll, int (*)(pollfd*, nfds_t, const timespec*, const sigset_t*))                                      \
  F(select, int (*)(int, fd_set*, fd_set*, fd_set*, timeval*))                                              \
  F(pselect, int (*)(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*))                     \
  F(epoll_create, int (*)(int))                                                                             \
  F(epoll_create1, int (*)(int))                                                                            \
  F(epoll_ctl, int (*)(int, int, int, epoll_event*))                                                        \
  F(epoll_wait, int (*)(int, epoll_event*, int, int))                                                       \
  F(epoll_pwait, int (*)(int, epoll_event*, int, int, const sigset_t*))                                     \
  F(wait, pid_t (*)(int*))                                                                                  \
  F(waitpid, pid_t (*)(pid_t, int*, int))                                                                   \
  F(wait3, pid_t (*)(int*, int, rusage*))                                                                   \
  F(wait4, pid_t (*)(pid_t, int*, int, rusage*))                                                            \
  F(waitid, int (*)(idtype_t, id_t, siginfo_t*, int))                                                       \
  F(pthread_kill, int (*)(pthread_t, int))                                                                  \
  F(raise, int (*)(int))                                                                                    \
  F(kill, int (*)(pid_t, int))                                                                              \
  F(tgkill, int (*)(pid_t, pid_t, int))                                                                     \
  F(sigqueue, int (*)(pid_t, int, sigval))                                                                  \
  F(pthread_sigqueue, int (*)(pthread_t, int, sigval))                                                      \
  F(sigaction, int (*)(int, const struct sigaction*, struct sigaction*))                                    \
  F(signal, void (*(*)(int, void (*)(int)))(int))                                                           \
  F(pthread_sigmask, int (*)(int, const sigset_t*, sigset_t*))                                              \
  F(sigprocmask, int (*)(int, const sigset_t*, sigset_t*))                                                  \
  F(sigpending, int (*)(sigset_t*))                                                                         \
  F(sigtimedwait, int (*)(const sigset_t*, siginfo_t*, const timespec*))                                    \
  F(sigsuspend, int (*)(const sigset_t*))                                                                   \
  F(pause, int (*)())                                                                                       \
  F(alarm, unsigned (*)(unsigned))                                                                          \
  F(setitimer, int (*)(int, const itimerval*, itimerval*))                                                  \
  F(getitimer, int (*)(int, itimerval*))                                                                    \
  F(timerfd_create, int (*)(int, int))                                                                      \
  F(timerfd_settime, int (*)(int, int, const itimerspec*, itimerspec*))                                     \
  F(timerfd_gettime, int (*)(int, itimerspec*))                                                             \
  F(pipe, int (*)(int*))                                                                                    \
  F(pipe2, int (*)(int*, int))                                                                              \
  F(socketpair, int (*)(int, int, int, int*))                                                               \
  F(eventfd, int (*)(unsigned, int))                                                                        \
  F(close, int (*)(int))                                                                                    \
  F(timer_create, int (*)(clockid_t, sigevent*, timer_t*))                                                  \
  F(timer_settime, int (*)(timer_t, int, const itimerspec*, itimerspec*))                                   \
  F(timer_gettime, int (*)(timer_t, itimerspec*))                                                           \
  F(timer_getoverrun, int (*)(timer_t))                                                                     \
  F(timer_delete, int (*)(timer_t))                                                                         \
  F(posix_spawn, int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,  \
                         char* const*, char* const*))                                                       \
  F(posix_spawnp, int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, \
                          char* const*, char* const*))                                                      \
  F(system, int (*)(const char*))                                                                           \
  F(popen, FILE* (*)(const char*, const char*))                                                             \
  F(pclose, int (*)(FILE*))                                                                                 \
  F(execve, int (*)(const char*, char* const*, char* const*))                                               \
  F(execv, int (*)(const char*, char* const*))                                                              \
  F(execvp, int (*)(const char*, char* const*))                                                             \
  F(execvpe, int (*)(const char*, char* const*, char* const*))                                              \
  F(fexecve, int (*)(int, char* const*, char* const*))                                                      \
  F(flock, int (*)(int, int))                                                                               \
  F(fcntl, int (*)(int, int, long))                                                                         \
  F(connect, int (*)(int, const sockaddr*, socklen_t))                                                      \
  F(msgrcv, ssize_t (*)(int, void*, size_t, long, int))                                                     \
  F(msgsnd, int (*)(int, const void*, size_t, int))                                                         \
  F(sendfile, ssize_t (*)(int, int, off_t*, size_t))                                                        \
  F(splice, ssize_t (*)(int, off64_t*, int, off64_t*, size_t, unsigned))                                    \
  F(fgets, char* (*)(char*, int, FILE*))                                                                    \
  F(fgetc, int (*)(FILE*))                                                                                  \
  F(getc, int (*)(FILE*))                                                                                   \
  F(getline, ssize_t (*)(char**, size_t*, FILE*))                                                           \
  F(getdelim, ssize_t (*)(char**, size_t*, int, FILE*))                                                     \
  F(sigwait, int (*)(const sigset_t*, int*))                                                                \
  F(sigwaitinfo, int (*)(const sigset_t*, siginfo_t*))                                                      \
  F(pthread_once, int (*)(pthread_once_t*, void (*)()))                                                     \
  F(sched_yield, int (*)())                                                                                 \
  F(sched_getaffinity, int (*)(pid_t, size_t, cpu_set_t*))                                                  \
  F(sched_setaffinity, int (*)(pid_t, size_t, const cpu_set_t*))                                            \
  F(pthread_getaffinity_np, int (*)(pthread_t, size_t, cpu_set_t*))                                         \
  F(pthread_setaffinity_np, int (*)(pthread_t, size_t, const cpu_set_t*))                                   \
  F(get_nprocs, int (*)())                                                                                  \
  F(sysconf, long (*)(int))                                                                                 \
  F(exit, void (*)(int))                                                                                    \
  F(_exit, void (*)(int))                                                                                   \
  F(_Exit, void (*)(int))                                                                                   \
  F(quick_exit, void (*)(int))                                                                              \
  F(fork, pid_t (*)())                                                                                      \
  F(__register_atfork, int (*)(void (*)(), void (*)(), void (*)(), void*))                                  \
  F(__assert_fail, void (*)(const char*, const char*, unsigned, const char*))                               \
  F(__assert_perror_fail, void (*)(int, const char*, unsigned, const char*))                                \
  F(__cxa_thread_atexit_impl, int (*)(void (*)(void*), void*, void*))                                       \
  F(getrandom, ssize_t (*)(void*, size_t, unsigned))                                                        \
  F(getentropy, int (*)(void*, size_t))                                                                     \
  F(arc4random, uint32_t (*)())                                                                             \
  F(arc4random_buf, void (*)(void*, size_t))                                                                \
  F(arc4random_uniform, uint32_t (*)(uint32_t))                                                             \
  F(_ZNSt13random_device9_M_getvalEv, unsigned (*)(void*))                                                  \
  F(fopen, FILE* (*)(const char*, const char*))                                                             \
  F(fopen64, FILE* (*)(const char*, const char*))                                                           \
  F(fclose, int (*)(FILE*))                                                                                 \
  F(fread, size_t (*)(void*, size_t, size_t, FILE*))                                                        \
  F(__libc_start_main, int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*))

struct Real {
#define SNARL_DECLARE(name, ...) std::type_identity_t<__VA_ARGS__> name;
  SNARL_REAL_FUNCTIONS(SNARL_DECLARE)
#undef SNARL_DECLARE
  bool resolved;
};

// Zero until resolve_real(); a hook that may run before our constructor uses real().
extern Real real_table;

// libc's own, in a parallel run, while real() gives ours in their places (parallel/run.h).
extern Real libc_table;
inline const Real& libc() { return libc_table; }

[[gnu::cold]] void resolve_real();

inline const Real& real() {
  if (__builtin_expect(!real_table.resolved, 0)) resolve_real();
  return real_table;
}

}  // namespace snarl::runtime
