#include "library/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "explore/execute/fiber_watch.h"
#include "explore/execute/time_limit.h"
#include "os/capture.h"
#include "os/fd.h"
#include "os/system.h"
#include "runtime/reset/batch.h"

namespace snarl::library {
namespace {

constexpr double kStuckAfter = 1;  // seconds: the one OS thread sleeps or computes, and nobody inside can look after it
constexpr double kLookEvery = 0.05;  // seconds: a run that takes too long is noticed so late

void redirect(int to, int fd) {
  if (to >= 0) dup2(to, fd);
}

[[noreturn]] void become_child(SharedMemory& memory, const ChildOrder& order, int out, int err, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (order.captures) setvbuf(stdout, nullptr, _IONBF, 0);  // a run that is cut short has written what it said
  memory.wire.options.cpu = sched_getcpu();
  if (order.prepare != nullptr) order.prepare();
  runtime::run_batch(memory.wire, memory.batch, order.body);
}

class Supervisor {
 public:
  Supervisor(SharedMemory& memory, const ChildOrder& order, pid_t child)
      : memory_(memory), order_(order), child_(child) {
    limit_.begin(stepped_at_, order.timeout, explore::Sharing::kInTurn);
  }

  ChildEnd watch(int out, int err);

 private:
  bool has_ended(ChildEnd& end) const;
  void look(ChildEnd& end);
  bool is_stuck(bool moves, double now);
  void end_child(bool& why);

  SharedMemory& memory_;
  const ChildOrder& order_;
  const pid_t child_;
  uint64_t begun_ = 0;        // runs that were begun ...
  explore::TimeLimit limit_;  // of the last one
  uint64_t steps_ = 0;        // ... and steps that the one under way has taken, when last looked at
  double stepped_at_ = os::now_seconds();
  uint64_t cpu_at_step_ = 0;  // nanoseconds
};

// What the body has started and left behind ends with it, while the zombie keeps the group's number from being reused.
bool Supervisor::has_ended(ChildEnd& end) const {
  siginfo_t info = {};
  const int error = waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (error != 0) return errno == ECHILD;  // somebody else reaped it: the memory says the rest
  if (info.si_pid == 0) return false;
  kill(-child_, SIGKILL);
  waitpid(child_, &end.status, 0);
  return true;
}

void Supervisor::end_child(bool& why) {
  why = true;
  kill(-child_, SIGKILL);
  kill(child_, SIGKILL);
}

void Supervisor::look(ChildEnd& end) {
  const double now = os::now_seconds();
  const uint64_t begun = __atomic_load_n(&memory_.batch.state.begun, __ATOMIC_RELAXED);
  const uint64_t steps = __atomic_load_n(&memory_.wire.state.steps, __ATOMIC_RELAXED);
  if (begun != begun_)
    limit_.begin(now, order_.timeout, explore::Sharing::kInTurn,
                 explore::core_use_of(child_, explore::Sharing::kInTurn).waited);
  const bool scans = memory_.wire.state.scanning.load(std::memory_order_acquire) != 0;  // that ends by itself
  const bool moves = scans || begun != begun_ || steps != steps_;
  begun_ = begun, steps_ = steps;
  if (now > limit_.look_at() && limit_.is_over(now, explore::core_use_of(child_, explore::Sharing::kInTurn)))
    end_child(end.timed_out);
  if (order_.fibers && is_stuck(moves, now)) end_child(end.is_stuck);
  if (order_.deadline != 0 && now > order_.deadline) memory_.batch.stop.store(1, std::memory_order_relaxed);
}

// It has had the processor for a while and has taken no step, or it sleeps. One that just does not get the processor,
// on a busy machine, is not stuck.
bool Supervisor::is_stuck(bool moves, double now) {
  const explore::Sight sight = explore::see_process(child_, memory_.wire, 0);
  if (moves) {
    stepped_at_ = now;
    cpu_at_step_ = sight.cpu_time;
  }
  if (now - stepped_at_ <= kStuckAfter) return false;
  return sight.asleep || static_cast<double>(sight.cpu_time - cpu_at_step_) * 1e-9 > kStuckAfter;
}

ChildEnd Supervisor::watch(int out, int err) {
  ChildEnd end;
  os::Capture captured_out, captured_err;
  const os::Fd pidfd(os::open_pidfd(child_));
  while (!has_ended(end)) {
    look(end);
    double wait = kLookEvery;
    if (order_.deadline != 0) wait = std::clamp(order_.deadline - os::now_seconds(), 0.001, wait);
    pollfd fds[] = {{pidfd.get(), POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    poll(fds, 3, static_cast<int>(wait * 1000));
    if (out >= 0) captured_out.drain(out);
    if (err >= 0) captured_err.drain(err);
  }
  if (out >= 0) captured_out.drain(out);
  if (err >= 0) captured_err.drain(err);
  end.out = captured_out.text(), end.out_cut = captured_out.cut();
  end.err = captured_err.text(), end.err_cut = captured_err.cut();
  return end;
}

}  // namespace

Expected<ChildEnd> run_child(SharedMemory& memory, const ChildOrder& order) {
  os::Pipe out, err;
  os::Fd nowhere;
  if (order.captures) {
    Expected<os::Pipe> made_out = os::make_pipe(), made_err = os::make_pipe();
    if (!made_out || !made_err) return os::system_error("can't make a pipe");
    out = std::move(*made_out), err = std::move(*made_err);
  } else {
    nowhere = os::Fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
  }
  std::fflush(nullptr);  // or a body that calls exit would write it once more
  memory.batch.stop.store(0, std::memory_order_relaxed);
  memory.batch.state = wire::BatchState{};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return os::system_error("can't make a process for the schedules");
  const int to_out = order.captures ? out.write.get() : nowhere.get();
  const int to_err = order.captures ? err.write.get() : nowhere.get();
  if (child == 0) become_child(memory, order, to_out, to_err, parent);
  out.write.reset();
  err.write.reset();
  return Supervisor(memory, order, child).watch(out.read.get(), err.read.get());
}

}  // namespace snarl::library
