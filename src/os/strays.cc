#include "os/strays.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "os/fd.h"

namespace snarl::os {
namespace {

std::vector<pid_t> children() {
  std::vector<pid_t> pids;
  Fd list(open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t got; list && (got = read(list.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    pid_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error != std::errc()) break;
    pids.push_back(pid);
    at = next + 1;  // the blank
  }
  return pids;
}

bool has(const std::vector<pid_t>& pids, pid_t pid) { return std::find(pids.begin(), pids.end(), pid) != pids.end(); }

std::vector<pid_t> unknown_children(const std::vector<pid_t>& known) {
  std::vector<pid_t> pids = children();
  std::erase_if(pids, [&](pid_t pid) { return has(known, pid); });
  return pids;
}

}  // namespace

// The children of a process that has ended come to us then: each round is a generation.
void end_children(const std::vector<pid_t>& known) {
  constexpr int kMostRounds = 1000;  // of a program that makes new ones as fast as we end them
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<pid_t> pids = unknown_children(known);
    if (pids.empty()) return;
    for (pid_t pid : pids) kill(pid, SIGKILL);
    for (pid_t pid : pids) waitpid(pid, nullptr, 0);
  }
}

Strays::Strays() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  before_ = children();
}

void Strays::reap(const std::vector<pid_t>& known) const {
  std::vector<pid_t> spared = known;
  spared.insert(spared.end(), before_.begin(), before_.end());
  end_children(spared);
}

}  // namespace snarl::os
