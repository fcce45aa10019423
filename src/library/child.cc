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

}  // namespace

Child::Child(SharedMemory memory, const ChildOrder& order, pid_t child, os::Fd out, os::Fd err)
    : memory_(memory),
      order_(order),
      child_(child),
      pidfd_(os::open_pidfd(child)),
      out_(std::move(out)),
      err_(std::move(err)),
      stepped_at_(os::now_seconds()),
      look_at_(stepped_at_ + kLookEvery) {
  limit_.begin(stepped_at_, order.timeout, explore::Sharing::kInTurn);
}

// What the body has started and left behind ends with it, while the zombie keeps the group's number from being reused.
bool Child::has_ended() {
  siginfo_t info = {};
  const int error = waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (error != 0) return errno == ECHILD;  // somebody else reaped it: the memory says the rest
  if (info.si_pid == 0) return false;
  ::kill(-child_, SIGKILL);
  waitpid(child_, &end_.status, 0);
  return true;
}

void Child::kill() {
  ::kill(-child_, SIGKILL);
  ::kill(child_, SIGKILL);
}

void Child::look() {
  const double now = os::now_seconds();
  look_at_ = now + kLookEvery;
  const uint64_t begun = __atomic_load_n(&memory_.batch.state.begun, __ATOMIC_RELAXED);
  const uint64_t steps = __atomic_load_n(&memory_.wire.state.steps, __ATOMIC_RELAXED);
  if (begun != begun_)
    limit_.begin(now, order_.timeout, explore::Sharing::kInTurn,
                 explore::core_use_of(child_, explore::Sharing::kInTurn).waited);
  const bool scans = memory_.wire.state.scanning.load(std::memory_order_acquire) != 0;  // that ends by itself
  const bool moves = scans || begun != begun_ || steps != steps_;
  begun_ = begun, steps_ = steps;
  if (now > limit_.look_at() && limit_.is_over(now, explore::core_use_of(child_, explore::Sharing::kInTurn)))
    end_.timed_out = true, kill();
  if (order_.fibers && is_stuck(moves, now)) end_.is_stuck = true, kill();
  if (order_.deadline != 0 && now > order_.deadline) memory_.batch.stop.store(1, std::memory_order_relaxed);
}

// It has had the processor for a while and has taken no step, or it sleeps. One that just does not get the processor,
// on a busy machine, is not stuck.
bool Child::is_stuck(bool moves, double now) {
  const explore::Sight sight = explore::see_process(child_, memory_.wire, 0);
  if (moves) {
    stepped_at_ = now;
    cpu_at_step_ = sight.cpu_time;
  }
  if (now - stepped_at_ <= kStuckAfter) return false;
  return sight.asleep || static_cast<double>(sight.cpu_time - cpu_at_step_) * 1e-9 > kStuckAfter;
}

void Child::drain() {
  if (out_) captured_out_.drain(out_.get());
  if (err_) captured_err_.drain(err_.get());
}

void Child::add_to(std::vector<pollfd>& fds) const {
  for (const os::Fd* fd : {&pidfd_, &out_, &err_}) fds.push_back({fd->get(), POLLIN, 0});  // poll ignores negative ones
}

double Child::wake_at() const {
  if (order_.deadline == 0) return look_at_;
  return std::min(look_at_, std::max(order_.deadline, os::now_seconds() + 0.001));
}

std::optional<ChildEnd> Child::advance() {
  const bool ended = has_ended();
  drain();
  if (!ended) {
    if (os::now_seconds() >= wake_at()) look();
    return std::nullopt;
  }
  end_.out = captured_out_.text(), end_.out_cut = captured_out_.cut();
  end_.err = captured_err_.text(), end_.err_cut = captured_err_.cut();
  return std::move(end_);
}

Expected<pid_t> Child::fork_child(SharedMemory memory, const ChildOrder& order, int out, int err) {
  os::Fd nowhere;
  if (!order.captures) nowhere = os::Fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
  std::fflush(nullptr);  // or a body that calls exit would write it once more
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return os::system_error("can't make a process for the schedules");
  if (child == 0)
    become_child(memory, order, order.captures ? out : nowhere.get(), order.captures ? err : nowhere.get(), parent);
  return child;
}

Expected<Child> Child::start(SharedMemory memory, const ChildOrder& order, BodyServer& server) {
  os::Pipe out, err;
  if (order.captures) {
    Expected<os::Pipe> made_out = os::make_pipe(), made_err = os::make_pipe();
    if (!made_out || !made_err) return os::system_error("can't make a pipe");
    out = std::move(*made_out), err = std::move(*made_err);
  }
  memory.batch.stop.store(0, std::memory_order_relaxed);
  memory.batch.state = wire::BatchState{};
  const std::optional<pid_t> copy = order.captures ? std::nullopt : server.copy();
  const Expected<pid_t> child = copy ? *copy : fork_child(memory, order, out.write.get(), err.write.get());
  if (!child) return child.error();
  return Child(memory, order, *child, std::move(out.read), std::move(err.read));
}

}  // namespace snarl::library
