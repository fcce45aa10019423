#include "os/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "os/fd.h"
#include "os/strays.h"
#include "os/system.h"

namespace snarl::os {
namespace {

constexpr double kPatience = 2;  // seconds that the worker has after a signal that is to end it
constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

// What the keeper tells the front.
struct News {
  pid_t worker;  // it has begun, or ended with `status`
  bool ended;
  int status;
};

sigset_t passed_on() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : kPassedOn) sigaddset(&set, number);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler == SIG_IGN) sigdelset(&set, SIGHUP);  // nohup stays nohup
  return set;
}

int milliseconds_until(double when) {
  if (std::isinf(when)) return -1;
  return static_cast<int>(std::max(0.0, std::ceil((when - now_seconds()) * 1000)));
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  kill(getpid(), number);
  _exit(128 + number);
}

class Front {
 public:
  Front(pid_t keeper, Fd news, Fd alive, const sigset_t& set)
      : keeper_(keeper),
        news_(std::move(news)),
        alive_(std::move(alive)),
        signals_(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) {}

  [[noreturn]] void stay() {
    for (;;) {
      pollfd fds[] = {{news_.get(), POLLIN, 0}, {worker_ > 0 ? signals_.get() : -1, POLLIN, 0}};
      poll(fds, 2, milliseconds_until(kill_at_));
      if (fds[1].revents != 0) pass_on();
      if (fds[0].revents != 0) hear();
      if (now_seconds() > kill_at_) end_worker();
    }
  }

 private:
  void pass_on() {
    signalfd_siginfo info{};
    if (read(signals_.get(), &info, sizeof info) != sizeof info) return;
    const auto number = static_cast<int>(info.ssi_signo);
    kill(worker_, number);
    if (number == SIGINT || killing_ != 0) return;  // a debugger's, too: it is not an order to end
    killing_ = number;
    kill_at_ = now_seconds() + kPatience;
  }

  void end_worker() {
    constexpr char kText[] = "snarl: told to end, and did not within 2 s: killed; findings are in the output folder\n";
    if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0) errno = 0;
    kill(worker_, SIGKILL);
    killed_ = true;
    kill_at_ = HUGE_VAL;
  }

  void hear() {
    News news{};
    const bool known = read(news_.get(), &news, sizeof news) == sizeof news;
    if (known && !news.ended) {
      worker_ = news.worker;
      return;
    }
    waitpid(keeper_, nullptr, 0);  // with it, what its descendants used is ours
    if (killed_) _exit(128 + killing_);
    end_as(known ? news.status : SIGKILL);
  }

  pid_t keeper_;
  Fd news_, alive_, signals_;
  pid_t worker_ = 0;
  int killing_ = 0;  // the signal that is to end the worker
  double kill_at_ = HUGE_VAL;
  bool killed_ = false;
};

// Ends when the worker has ended, or the front.
[[noreturn]] void keep(pid_t worker, Fd news, Fd alive) {
  setsid();  // what is sent to the front's group is not for us
  for (int number : kPassedOn) signal(number, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_NAME, "snarl-keeper");
  for (int fd : {0, 1, 2}) close(fd);  // nobody who reads from us waits for the keeper
  const Fd ended(open_pidfd(worker));
  pollfd fds[] = {{alive.get(), POLLIN, 0}, {ended.get(), POLLIN, 0}};
  while (poll(fds, 2, -1) < 0 && errno == EINTR) {
  }
  kill(worker, SIGKILL);
  News last{worker, true, 0};
  waitpid(worker, &last.status, 0);
  end_children({});
  if (write(news.get(), &last, sizeof last) < 0) _exit(1);
  _exit(0);
}

struct Pair {
  Fd read, write;
};

Pair make_pair() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  return {Fd(ends[0]), Fd(ends[1])};
}

}  // namespace

void begin_below_keeper() {
  Pair news = make_pair(), alive = make_pair();
  if (!news.read || !alive.read) return;
  const sigset_t set = passed_on();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &set, &before);
  const pid_t keeper = fork();
  if (keeper < 0) sigprocmask(SIG_SETMASK, &before, nullptr);
  if (keeper < 0) return;
  if (keeper > 0) {
    news.write.reset();
    alive.read.reset();
    Front(keeper, std::move(news.read), std::move(alive.write), set).stay();
  }
  news.read.reset();
  alive.write.reset();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper_id = getpid();
  const pid_t worker = fork();
  if (worker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper_id) _exit(125);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return;
  }
  const News first{worker, worker < 0, 125 << 8};
  if (write(news.write.get(), &first, sizeof first) < 0 || worker < 0) _exit(1);
  keep(worker, std::move(news.write), std::move(alive.read));
}

}  // namespace snarl::os
