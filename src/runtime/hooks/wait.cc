// Waiting for children.
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "runtime/hooks/await.h"
#include "runtime/platform/raw.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

struct Children {
  idtype_t type;
  id_t id;
  int options;
};

// A child has something to report, or there is none: then the call returns its error.
bool child_ready(const Readiness& readiness) {
  const auto& children = *static_cast<const Children*>(readiness.data);
  siginfo_t info = {};
  const int options = children.options | WEXITED | WNOHANG | WNOWAIT;
  return raw::call(SYS_waitid, children.type, children.id, &info, options, 0) != 0 || info.si_pid != 0;
}

Children children_of(pid_t pid, int options) {
  const int kinds = options & (WSTOPPED | WCONTINUED);
  if (pid == -1) return {P_ALL, 0, kinds};
  if (pid == 0) return {P_PGID, 0, kinds};
  return pid > 0 ? Children{P_PID, static_cast<id_t>(pid), kinds} : Children{P_PGID, static_cast<id_t>(-pid), kinds};
}

// False, with errno, if a signal handler ended the wait.
bool await_child(const Children& children, int options, uint64_t pc) {
  Thread* self = (options & WNOHANG) != 0 ? nullptr : at_point(pc);
  if (self == nullptr || await(*self, Readiness{.ready = child_ready, .data = &children}, pc) != EINTR) return true;
  errno = EINTR;
  return false;
}

}  // namespace

SNARL_HOOK pid_t wait(int* status) {
  if (!await_child({P_ALL, 0, 0}, 0, SNARL_PC)) return -1;
  return real().wait(status);
}

SNARL_HOOK pid_t waitpid(pid_t pid, int* status, int options) {
  if (!await_child(children_of(pid, options), options, SNARL_PC)) return -1;
  return real().waitpid(pid, status, options);
}

SNARL_HOOK pid_t wait3(int* status, int options, rusage* usage) noexcept {
  if (!await_child(children_of(-1, options), options, SNARL_PC)) return -1;
  return real().wait3(status, options, usage);
}

SNARL_HOOK pid_t wait4(pid_t pid, int* status, int options, rusage* usage) noexcept {
  if (!await_child(children_of(pid, options), options, SNARL_PC)) return -1;
  return real().wait4(pid, status, options, usage);
}

SNARL_HOOK int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (!await_child({type, id, options & (WSTOPPED | WCONTINUED)}, options, SNARL_PC)) return -1;
  return real().waitid(type, id, info, options);
}

}  // namespace snarl::runtime
