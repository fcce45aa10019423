#include "os/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>

#include "os/system.h"

namespace snarl::os {
namespace {

bool readable(int fd, int milliseconds) {
  pollfd one{fd, POLLIN, 0};
  return poll(&one, 1, milliseconds) == 1;
}

}  // namespace

Expected<Process> Process::adopt(pid_t pid, bool own_group, Guard& guard) {
  if (own_group) {
    setpgid(pid, pid);  // the child does it too, and either may be first
    guard.watch(pid);
  }
  Process process(pid, Fd(open_pidfd(pid)), own_group, guard);
  if (!process.pidfd_) return system_error("can't watch the program");
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      pidfd_(std::move(other.pidfd_)),
      own_group_(other.own_group_),
      guard_(other.guard_) {}

Process::~Process() {
  if (pid_ == 0) return;
  kill();
  wait(0);
}

void Process::send(int signal) {
  if (pid_ != 0) ::kill(pid_, signal);  // ours until it is reaped
}

void Process::kill() {
  if (pid_ == 0) return;
  if (own_group_) ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // it may not have joined its group yet; the number is still its own, as it is not reaped
}

std::optional<Ending> Process::reap() { return reap_within(0); }

std::optional<Ending> Process::reap_within(int milliseconds) {
  if (pid_ == 0 || !readable(pidfd_.get(), milliseconds)) return std::nullopt;
  if (own_group_) ::kill(-pid_, SIGKILL);
  return wait(WNOHANG);
}

std::optional<Ending> Process::wait(int flags) {
  int status = 0;
  pid_t got;
  do got = waitpid(pid_, &status, flags);
  while (got < 0 && errno == EINTR);
  if (got == 0) return std::nullopt;
  if (own_group_) {
    guard_->forget(pid_);
    while (waitpid(-pid_, nullptr, WNOHANG) > 0) {  // orphans of its group that we inherited
    }
  }
  pid_ = 0;
  return Ending{status};
}

}  // namespace snarl::os
