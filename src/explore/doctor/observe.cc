#include "explore/doctor/observe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "explore/target/code_map.h"
#include "os/launch.h"
#include "os/remote_memory.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr size_t kMostEffects = 200;
constexpr double kPatience = 2;  // seconds for killed processes to be gone
constexpr long kTraceOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                               PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

// Blocks SIGCHLD, so that it can be waited for with a limit of time.
class ChildSignal {
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

class Tracer {
 public:
  Tracer(pid_t pid, Observation& seen) : main_(pid), seen_(seen) { alive_[pid] = {.own = true, .begun = true}; }

  // Until the program has ended, the time is over, or we are to stop.
  void run(double deadline, int stop_fd, const ChildSignal& signal) {
    pollfd stop{stop_fd, POLLIN, 0};
    while (!seen_.ended && os::now_seconds() < deadline && poll(&stop, 1, 0) <= 0)
      if (!next_stop()) signal.wait(std::max(0.0, deadline - os::now_seconds()));
  }

  // Whatever is still there, and what it was just starting.
  void end_all(const ChildSignal& signal) {
    const double deadline = os::now_seconds() + kPatience;
    for (const auto& [pid, task] : alive_) kill(pid, SIGKILL);
    while (!alive_.empty() && os::now_seconds() < deadline) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL | WNOHANG);
      if (pid <= 0)
        signal.wait(0.1);
      else if (!WIFSTOPPED(status))
        alive_.erase(pid);
      else
        kill(pid, SIGKILL), alive_[pid] = {};
    }
  }

 private:
  struct Task {
    bool own = false;    // of the program's own process, not of one that it started
    bool begun = false;  // its first stop is over
  };

  bool next_stop() {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, __WALL | WNOHANG);
    if (pid <= 0) return false;
    if (WIFSTOPPED(status)) {
      stopped(pid, status);
    } else {
      alive_.erase(pid);
      if (pid == main_) seen_.ended = true, seen_.status = status;
    }
    return true;
  }

  void stopped(pid_t pid, int status) {
    const int signal = WSTOPSIG(status), event = status >> 16;
    int deliver = 0;
    Task& task = alive_[pid];
    if (signal == (SIGTRAP | 0x80))
      at_call(pid, task);
    else if (event != 0)
      at_event(pid, event, task.own);
    else if (!task.begun || signal == SIGTRAP)
      ptrace(PTRACE_SETOPTIONS, pid, 0, kTraceOptions);  // a new task's SIGSTOP, or the first exec
    else if (siginfo_t info; ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0)
      deliver = signal;  // otherwise it is a stop of the whole group, which we don't take part in
    task.begun = true;
    ptrace(PTRACE_SYSCALL, pid, 0, deliver);
  }

  void at_event(pid_t pid, int event, bool own) {
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, pid, 0, &message) != 0) return;
    const pid_t other = static_cast<pid_t>(message);
    if (event == PTRACE_EVENT_EXEC) {
      if (other != pid) alive_.erase(other);  // the thread that called it has taken the number of its process
      if (pid == main_) map_.forget();
      return;
    }
    const bool thread = event == PTRACE_EVENT_CLONE && own;
    alive_[other].own = thread;
    if (thread) ++seen_.threads;
  }

  void at_call(pid_t pid, const Task& task) {
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || info.arch != AUDIT_ARCH_X86_64) return;
    census::Call call{info.entry.nr, {}};
    std::copy_n(info.entry.args, call.arguments.size(), call.arguments.begin());
    const auto read = [pid](uint64_t address, size_t size) { return os::read_memory(pid, address, size); };
    if (const auto effect = side_effect_of(call, main_, read)) note(*effect);
    if (task.own) note_origin(call.number, map_.owner(main_, info.instruction_pointer));
  }

  void note(const SideEffect& effect) {
    for (Observation::Effect& known : seen_.effects)
      if (known.effect.kind == effect.kind && known.effect.what == effect.what) return void(++known.times);
    if (seen_.effects.size() < kMostEffects)
      seen_.effects.push_back({effect, 1});
    else
      ++seen_.more_effects;
  }

  void note_origin(uint64_t number, const std::string& module) {
    if (module.empty()) return;
    for (Observation::InlineCall& known : seen_.inline_calls)
      if (known.module == module && known.number == number) return void(++known.times);
    seen_.inline_calls.push_back({module, number, 1});
  }

  const pid_t main_;
  Observation& seen_;
  std::map<pid_t, Task> alive_;
  CodeMap map_;
};

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

Observation observe(const Setup& setup, os::Guard& guard, double seconds, int stop_fd) {
  Observation seen;
  const ChildSignal signal;
  const double began = os::now_seconds();
  const Expected<pid_t> pid = start(setup);
  if (!pid) {
    seen.could_not = "it could not be traced (ptrace): " + pid.error().message;
    return seen;
  }
  guard.watch(*pid);
  Tracer tracer(*pid, seen);
  tracer.run(began + seconds, stop_fd, signal);
  tracer.end_all(signal);
  guard.forget(*pid);
  seen.seconds = os::now_seconds() - began;
  return seen;
}

}  // namespace snarl::explore
