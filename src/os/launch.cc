#include "os/launch.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "os/pinned.h"
#include "os/streams.h"
#include "os/system.h"

namespace snarl::os {
namespace {

struct Child {
  const Launch* what;
  char* const* argv;
  char* const* environment;
  pid_t parent;
  std::optional<cpu_set_t> cores;  // none: ours
  volatile int error;              // errno of what failed; the child shares our memory until it execs
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

bool put_at(int fd, int number) {
  if (fd < 0) return true;
  if (fd != number) return dup2(fd, number) >= 0;
  return fcntl(fd, F_SETFD, 0) == 0;
}

bool open_at(const OpenedFile& file) {
  const int fd = open(file.path.c_str(), file.flags & ~O_CLOEXEC);
  if (fd < 0) return false;
  lseek(fd, file.offset, SEEK_SET);  // what has no offset, such as a terminal, needs none
  if (fd == file.number) return true;
  const bool good = dup2(fd, file.number) >= 0;
  close(fd);
  return good;
}

// Runs in our memory on its own stack: system calls only.
__attribute__((no_sanitize("address", "undefined"))) int become(void* argument) {
  auto* child = static_cast<Child*>(argument);
  const Launch& what = *child->what;
  personality(ADDR_NO_RANDOMIZE);  // equal addresses in equal runs; where that is forbidden, they differ
  if (what.own_group) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != child->parent) _exit(125);
  if (child->cores) sched_setaffinity(0, sizeof *child->cores, &*child->cores);
  give_back_sigpipe();
  rlimit core{};
  if (getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &core);
  }
  bool good = put_at(what.in, 0) && put_at(what.out, 1) && put_at(what.err, 2);
  if (what.traced) good = good && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0;
  for (const OpenedFile& file : what.files) good = good && open_at(file);
  for (int fd : what.keep) good = good && fcntl(fd, F_SETFD, 0) == 0;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (good) execve(what.path.c_str(), child->argv, child->environment);
  child->error = errno;
  _exit(127);
}

Error exec_error(const std::string& path, int number) {
  const bool absent = number == ENOENT;
  return Error{"can't start " + path + ": " + strerror(number), {}, absent ? 127 : 126};
}

}  // namespace

Expected<pid_t> launch(const Launch& what) {
  constexpr size_t kStack = 64 << 10;
  const auto stack = std::make_unique<char[]>(kStack);
  const std::vector<char*> argv = pointers(what.argv);
  const std::vector<char*> environment = pointers(what.environment);
  Child child{&what, argv.data(), environment.data(), getpid(), Pinned::cores_otherwise(), 0};

  sigset_t all, before;  // no handler of ours may run in the child
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  // As posix_spawn does (which can't set PDEATHSIG): no page tables are copied, and we sleep until the child execs.
  const pid_t pid = clone(become, stack.get() + kStack, CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
  const int number = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);

  errno = number;
  if (pid < 0) return system_error("can't start a process");
  if (child.error == 0) return pid;
  waitpid(pid, nullptr, 0);
  return exec_error(what.path, child.error);
}

}  // namespace snarl::os
