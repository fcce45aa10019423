#include "os/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.h"
#include "os/system.h"

namespace snarl::os {

Expected<Guard> Guard::start() {
  void* memory = mmap(nullptr, sizeof(Groups), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return system_error("can't map the guard's memory");
  auto* groups = new (memory) Groups();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("can't make the guard's pipe");
  Fd read_end(ends[0]), write_end(ends[1]);
  const pid_t pid = fork();
  if (pid < 0) return system_error("can't start the guard process");
  if (pid == 0) stand_by(*groups, read_end.get());
  return Guard(groups, std::move(write_end), pid);
}

void Guard::stand_by(const Groups& groups, int pipe) {
  setsid();  // a Ctrl-C at the terminal is not for us
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "snarl-guard");
  dup2(pipe, 0);
  close_range(1, ~0U, 0);  // keep nothing open that others wait for, our own writing end included
  char byte;
  while (read(0, &byte, 1) < 0 && errno == EINTR) {
  }
  for (const auto& slot : groups.slot) {
    const pid_t group = slot.load(std::memory_order_acquire);
    if (group > 1) kill(-group, SIGKILL);
  }
  _exit(0);
}

Guard::Guard(Guard&& other) noexcept
    : groups_(std::exchange(other.groups_, nullptr)),
      alive_(std::move(other.alive_)),
      pid_(std::exchange(other.pid_, -1)) {}

Guard::~Guard() {
  if (groups_ == nullptr) return;
  alive_.reset();
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  munmap(groups_, sizeof(Groups));
}

void Guard::watch(pid_t group) {
  SNARL_CHECK(group > 1);
  for (auto& slot : groups_->slot)
    if (pid_t free = 0; slot.load(std::memory_order_relaxed) == 0 && slot.compare_exchange_strong(free, group)) return;
}

void Guard::forget(pid_t group) {
  for (auto& slot : groups_->slot)
    if (slot.load(std::memory_order_relaxed) == group) return slot.store(0, std::memory_order_release);
}

}  // namespace snarl::os
