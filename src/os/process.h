// A started process, until it is reaped. Move only; the destructor ends and reaps it.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/error.h"
#include "os/fd.h"
#include "os/guard.h"

namespace snarl::os {

struct Ending {
  int status = 0;  // as waitpid gives it
};

class Process {
 public:
  // Takes over a child of ours. `own_group`: it leads a process group (made here if necessary), which the guard then
  // watches and which is ended together with it.
  static Expected<Process> adopt(pid_t pid, bool own_group, Guard& guard);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }  // readable once it has ended

  void send(int signal);

  // SIGKILL to the whole group.
  void kill();

  // Has a value once, when the process has ended. What is left of its group is killed first, while the zombie still
  // keeps the number from being reused.
  std::optional<Ending> reap();
  // The same, for a process that is about to end: waits for that, but not longer than `milliseconds`.
  std::optional<Ending> reap_within(int milliseconds);

 private:
  Process(pid_t pid, Fd pidfd, bool own_group, Guard& guard)
      : pid_(pid), pidfd_(std::move(pidfd)), own_group_(own_group), guard_(&guard) {}
  std::optional<Ending> wait(int flags);

  pid_t pid_;  // 0: reaped or moved away
  Fd pidfd_;
  bool own_group_;
  Guard* guard_;
};

}  // namespace snarl::os
