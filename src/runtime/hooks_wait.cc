// Waiting for children and for signals.
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "runtime/hook.h"
#include "runtime/raw.h"
#include "runtime/readiness.h"

namespace snarl {
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

void await_child(const Children& children, int options, uint64_t pc) {
  Thread* self = (options & WNOHANG) != 0 ? nullptr : at_point();
  if (self != nullptr) await(*self, Readiness{.ready = child_ready, .data = &children}, pc);
}

struct SignalWait {
  uint64_t wanted;  // bit s-1
  const Thread* self;
};

// Those who wait for a signal of the process have it blocked in every thread, so that it is
// pending for whoever looks; what was sent to one thread only, we have seen being sent.
bool signal_ready(const Readiness& readiness) {
  const auto& wait = *static_cast<const SignalWait*>(readiness.data);
  uint64_t pending = 0;
  raw::call(SYS_rt_sigpending, &pending, sizeof pending);
  return (wait.wanted & (pending | wait.self->signals)) != 0;
}

void await_signal(const sigset_t* set, uint64_t pc) {
  Thread* self = at_point();
  if (self == nullptr) return;
  SignalWait wait{0, self};
  raw::copy(&wait.wanted, set, sizeof wait.wanted);
  await(*self, Readiness{.ready = signal_ready, .data = &wait}, pc);
}

uint64_t bit_of(int signal) { return signal > 0 && signal <= 64 ? uint64_t{1} << (signal - 1) : 0; }

int taken(int signal) {
  if (Thread* self = current) self->signals &= ~bit_of(signal);
  return signal;
}

}  // namespace

SNARL_HOOK pid_t wait(int* status) {
  await_child({P_ALL, 0, 0}, 0, SNARL_PC);
  return real().wait(status);
}

SNARL_HOOK pid_t waitpid(pid_t pid, int* status, int options) {
  await_child(children_of(pid, options), options, SNARL_PC);
  return real().waitpid(pid, status, options);
}

SNARL_HOOK pid_t wait3(int* status, int options, rusage* usage) noexcept {
  await_child(children_of(-1, options), options, SNARL_PC);
  return real().wait3(status, options, usage);
}

SNARL_HOOK pid_t wait4(pid_t pid, int* status, int options, rusage* usage) noexcept {
  await_child(children_of(pid, options), options, SNARL_PC);
  return real().wait4(pid, status, options, usage);
}

SNARL_HOOK int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  await_child({type, id, options & (WSTOPPED | WCONTINUED)}, options, SNARL_PC);
  return real().waitid(type, id, info, options);
}

SNARL_HOOK int sigwait(const sigset_t* set, int* signal) {
  await_signal(set, SNARL_PC);
  const int error = real().sigwait(set, signal);
  if (error == 0) taken(*signal);
  return error;
}

SNARL_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  await_signal(set, SNARL_PC);
  return taken(real().sigwaitinfo(set, info));
}

// Only what sigwait takes is modelled; a handler runs when the kernel likes, as without us.
SNARL_HOOK int pthread_kill(pthread_t handle, int signal) noexcept {
  Thread* target = current == nullptr ? nullptr : thread_of(handle);
  const int error = real().pthread_kill(handle, signal);
  if (error == 0 && target != nullptr) target->signals |= bit_of(signal);
  return error;
}

}  // namespace snarl
