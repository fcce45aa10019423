#include "explore/execute/sleep_watch.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "202 0x55... 0x189 0x0 0x0 ...": the number of the call and its arguments. "running" if there is none.
bool waits_without_time(const std::string& call) {
  long number = 0;
  uint64_t operation = 0, time = 0;
  if (std::sscanf(call.c_str(), "%ld %*x %" SCNx64 " %*x %" SCNx64, &number, &operation, &time) != 3) return false;
  const int kind = static_cast<int>(operation) & FUTEX_CMD_MASK;
  const bool waits =
      kind == FUTEX_WAIT || kind == FUTEX_WAIT_BITSET || kind == FUTEX_LOCK_PI || kind == FUTEX_WAIT_REQUEUE_PI;
  return number == SYS_futex && waits && time == 0;
}

}  // namespace

bool sleeps_for_good(pid_t pid) {
  std::error_code error;
  const fs::path threads = fs::path("/proc") / std::to_string(pid) / "task";
  bool any = false;
  for (fs::directory_iterator at(threads, error), end; !error && at != end; at.increment(error)) {
    if (!waits_without_time(first_line(at->path() / "syscall")) || !first_line(at->path() / "children").empty())
      return false;
    any = true;
  }
  return any && !error;
}

}  // namespace snarl::explore
