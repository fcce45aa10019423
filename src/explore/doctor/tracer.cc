#include "explore/doctor/tracer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>

#include "os/launch.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kPatience = 2;  // seconds for killed processes to be gone
constexpr long kTraceOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                               PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

Expected<pid_t> start(const Setup& setup) {
  Expected<os::Fd> in =
      setup.input != nullptr ? setup.input->open() : Expected<os::Fd>(os::Fd(open("/dev/null", O_RDONLY | O_CLOEXEC)));
  if (!in) return in.error();
  const os::Fd out(open("/dev/null", O_WRONLY | O_CLOEXEC));
  os::Launch what;
  what.path = setup.target.path;
  what.argv = setup.target.argv;
  what.environment = setup.environment;
  what.in = in->get();
  what.out = what.err = out.get();
  what.traced = true;
  return os::launch(what);
}

}  // namespace

// Blocks SIGCHLD, so that it can be waited for with a limit of time.
class Tracer::ChildSignal {
 public:
  ChildSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~ChildSignal() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  void wait(double seconds) const {
    const timespec span{static_cast<time_t>(seconds),
                        static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
    sigtimedwait(&set_, nullptr, &span);
  }

 private:
  sigset_t set_, before_;
};

Expected<std::optional<int>> Tracer::run(const Setup& setup, os::Guard& guard, const Stop& stop) {
  const ChildSignal signal;
  const Expected<pid_t> pid = start(setup);
  if (!pid) return Error{"it could not be traced (ptrace): " + pid.error().message};
  guard.watch(*pid);
  main_ = *pid;
  alive_[main_] = false;
  pollfd told{stop.fd, POLLIN, 0};
  while (!status_ && !is_done() && !stop.is_late() && poll(&told, 1, 0) <= 0)
    if (!next_stop()) signal.wait(std::clamp(stop.at - os::now_seconds(), 0.0, 3600.0));
  end_all(signal);
  guard.forget(main_);
  return status_;
}

// Whatever is still there, and what it was just starting.
void Tracer::end_all(const ChildSignal& signal) {
  const double deadline = os::now_seconds() + kPatience;
  for (const auto& [pid, begun] : alive_) kill(pid, SIGKILL);
  while (!alive_.empty() && os::now_seconds() < deadline) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, __WALL | WNOHANG);
    if (pid <= 0)
      signal.wait(0.1);
    else if (!WIFSTOPPED(status))
      alive_.erase(pid);
    else
      kill(pid, SIGKILL), alive_[pid] = false;
  }
}

bool Tracer::next_stop() {
  int status = 0;
  const pid_t pid = waitpid(-1, &status, __WALL | WNOHANG);
  if (pid <= 0) return false;
  if (WIFSTOPPED(status)) {
    stopped(pid, status);
  } else {
    alive_.erase(pid);
    if (pid == main_) status_ = status;
  }
  return true;
}

void Tracer::stopped(pid_t pid, int status) {
  const int signal = WSTOPSIG(status), event = status >> 16;
  int deliver = 0;
  bool& begun = alive_[pid];
  if (signal == (SIGTRAP | 0x80)) {
    at_call(pid);
  } else if (event != 0) {
    at_event(pid, event);
  } else if (!begun || signal == SIGTRAP) {
    ptrace(PTRACE_SETOPTIONS, pid, 0, kTraceOptions);  // a new task's SIGSTOP, or the first exec
    if (pid == main_ && !begun) at_exec(pid);
  } else if (siginfo_t info; ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0) {
    deliver = signal;  // otherwise it is a stop of the whole group, which we don't take part in
  }
  begun = true;
  ptrace(sees_calls() ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0, deliver);
}

void Tracer::at_event(pid_t pid, int event) {
  unsigned long message = 0;
  if (ptrace(PTRACE_GETEVENTMSG, pid, 0, &message) != 0) return;
  const auto other = static_cast<pid_t>(message);
  if (event != PTRACE_EVENT_EXEC) {
    alive_.try_emplace(other, false);
    return at_birth(pid, other, event);
  }
  if (other != pid) alive_.erase(other);  // the thread that called it has taken the number of its process
  at_exec(pid);
}

}  // namespace snarl::explore
