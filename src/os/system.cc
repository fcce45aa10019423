#include "os/system.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace snarl::os {

double now_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double cpu_seconds() {
  double seconds = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
  }
  return seconds;
}

uint64_t wall_clock() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

Error system_error(const std::string& what, const std::string& hint) {
  const int number = errno;
  return Error{what + ": " + strerror(number), hint, 125};
}

// A program that prints much then need not wait for us. If it is not granted, the pipe stays small.
static constexpr int kPipeSize = 1 << 20;

Expected<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("can't make a pipe");
  Pipe pipe{Fd(ends[0]), Fd(ends[1])};
  if (fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) != 0) return system_error("can't set up a pipe");
  fcntl(pipe.write.get(), F_SETPIPE_SZ, kPipeSize);
  return pipe;
}

Expected<Fd> move_up(Fd fd) {
  const int moved = fcntl(fd.get(), F_DUPFD_CLOEXEC, kInheritedFdFloor);
  if (moved < 0) return system_error("can't duplicate a descriptor", "raise the limit of open files (ulimit -n)");
  return Fd(moved);
}

int open_pidfd(int pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace snarl::os
