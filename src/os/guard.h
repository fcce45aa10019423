// The guard: a tiny process that ends what we started if we die without doing so ourselves (kill -9). It waits on a
// pipe whose other end closes when we die, and reads the active process groups from memory that it shares with us.
#pragma once

#include <sys/types.h>

#include <atomic>

#include "base/error.h"
#include "os/fd.h"

namespace snarl::os {

class Guard {
 public:
  // Forks, so call it while this process has one thread.
  static Expected<Guard> start();

  Guard(Guard&& other) noexcept;
  Guard& operator=(Guard&&) = delete;
  ~Guard();

  pid_t pid() const { return pid_; }

  // While it is registered, the process group `group` is killed if we die. Any thread may call these.
  void watch(pid_t group);
  void forget(pid_t group);

 private:
  static constexpr int kSlots = 2048;  // two per worker, and no machine has 1024 cores yet
  struct Groups {
    std::atomic<pid_t> slot[kSlots];  // 0: free
  };

  Guard(Groups* groups, Fd alive, pid_t pid) : groups_(groups), alive_(std::move(alive)), pid_(pid) {}
  [[noreturn]] static void stand_by(const Groups& groups, int pipe);

  Groups* groups_;
  Fd alive_;  // closes with this process
  pid_t pid_;
};

}  // namespace snarl::os
