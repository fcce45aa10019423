// A child of the test's process, from its fork to its end.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "explore/execute/time_limit.h"
#include "library/body_server.h"
#include "library/memory.h"
#include "os/capture.h"
#include "os/fd.h"
#include "runtime/reset/body.h"

namespace snarl::library {

struct ChildOrder {
  runtime::Body body;
  void (*prepare)() = nullptr;  // called in the child first
  double timeout = 10;          // seconds, for one run
  double deadline = 0;          // on the clock of now_seconds(): the batch is stopped then; 0: never
  bool captures = false;        // keep what it writes
  bool fibers = false;          // the body's threads share one OS thread; it is watched for being stuck
};

struct ChildEnd {
  int status = 0;          // as waitpid gives it
  bool timed_out = false;  // it was killed for that
  bool is_stuck = false;   // or for this: on fibers, and nobody took a step for a second
  std::string out, err;
  bool out_cut = false, err_cut = false;
};

class Child {
 public:
  // Lets a child do what memory.batch.order says: a copy of the server if what it writes is not kept, otherwise a fork.
  static Expected<Child> start(SharedMemory memory, const ChildOrder& order, BodyServer& server);

  Child(Child&& other) = default;

  void add_to(std::vector<pollfd>& fds) const;
  double wake_at() const;  // on the clock of now_seconds()

  // Looks after it. Has a value once, when it has ended.
  std::optional<ChildEnd> advance();

  void kill();

 private:
  static Expected<pid_t> fork_child(SharedMemory memory, const ChildOrder& order, int out, int err);
  Child(SharedMemory memory, const ChildOrder& order, pid_t child, os::Fd out, os::Fd err);

  bool has_ended();
  void look();
  bool is_stuck(bool moves, double now);
  void drain();

  SharedMemory memory_;
  ChildOrder order_;
  pid_t child_;
  os::Fd pidfd_, out_, err_;
  os::Capture captured_out_, captured_err_;
  ChildEnd end_;
  uint64_t begun_ = 0;        // runs that were begun ...
  explore::TimeLimit limit_;  // of the last one
  uint64_t steps_ = 0;        // ... and steps that the one under way has taken, when last looked at
  double stepped_at_;
  uint64_t cpu_at_step_ = 0;  // nanoseconds
  double look_at_;
};

}  // namespace snarl::library
