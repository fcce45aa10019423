#include "explore/doctor/call_names.h"

#include <fmt/format.h>
#include <sys/syscall.h>

namespace snarl::explore {
namespace {

struct Name {
  uint64_t number;
  const char* name;
};

constexpr Name kNames[] = {
    {SYS_futex, "futex"},
    {SYS_clone, "clone"},
    {SYS_clone3, "clone3"},
    {SYS_fork, "fork"},
    {SYS_vfork, "vfork"},
    {SYS_execve, "execve"},
    {SYS_execveat, "execveat"},
    {SYS_exit, "exit"},
    {SYS_exit_group, "exit_group"},
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_open, "open"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_madvise, "madvise"},
    {SYS_brk, "brk"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_clock_gettime, "clock_gettime"},
    {SYS_gettid, "gettid"},
    {SYS_getpid, "getpid"},
    {SYS_getcpu, "getcpu"},
    {SYS_getrandom, "getrandom"},
    {SYS_membarrier, "membarrier"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_rt_sigreturn, "rt_sigreturn"},
    {SYS_sigaltstack, "sigaltstack"},
    {SYS_tgkill, "tgkill"},
    {SYS_kill, "kill"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_prctl, "prctl"},
    {SYS_arch_prctl, "arch_prctl"},
};

}  // namespace

std::string call_name(uint64_t number) {
  for (const Name& one : kNames)
    if (one.number == number) return one.name;
  return fmt::format("call {}", number);
}

}  // namespace snarl::explore
