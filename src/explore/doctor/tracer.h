// Runs a program under ptrace, with all that it starts: what is to be done at its stops is a subclass's.
//
// By one thread. Nothing of it is left behind: whatever still runs at the end is killed.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <map>
#include <optional>

#include "base/error.h"
#include "explore/execute/executor.h"
#include "explore/target/setup.h"
#include "os/guard.h"

namespace snarl::explore {

class Tracer {
 public:
  virtual ~Tracer() = default;

  // Until the program has ended, is_done(), or it is time to stop. Its output is thrown away. An error if it can't be
  // started, or can't be traced. The wait status; none: it has not ended by itself.
  Expected<std::optional<int>> run(const Setup& setup, os::Guard& guard, const Stop& stop);

 protected:
  virtual bool is_done() const { return false; }
  // Before and after each system call; only if this is true.
  virtual bool sees_calls() const { return false; }
  virtual void at_call(pid_t) {}
  // The process has become another program, or the first one.
  virtual void at_exec(pid_t) {}
  // The task has made another one.
  virtual void at_birth(pid_t /*parent*/, pid_t /*child*/, int /*event*/) {}

  pid_t main() const { return main_; }

 private:
  class ChildSignal;

  bool next_stop();
  void stopped(pid_t pid, int status);
  void at_event(pid_t pid, int event);
  void end_all(const ChildSignal& signal);

  pid_t main_ = 0;
  std::optional<int> status_;
  std::map<pid_t, bool> alive_;  // with: its first stop is over
};

}  // namespace snarl::explore
