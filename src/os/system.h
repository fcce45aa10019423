// Small wrappers around the OS calls that the explorer makes in many places.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "os/fd.h"

namespace snarl::os {

// Seconds on the monotonic clock.
double now_seconds();

// Seconds of CPU time of this process and of all descendants that were waited for.
double cpu_seconds();

// Nanoseconds since 1970.
uint64_t wall_clock();

// "WHAT: reason of errno", exit code 125.
Error system_error(const std::string& what, const std::string& hint = {});

struct Pipe {
  Fd read, write;
};
// Both ends CLOEXEC; the reading end does not block.
Expected<Pipe> make_pipe();

// Descriptors that a tested process inherits have numbers from here on, so that they don't take the small numbers that
// the program expects.
constexpr int kInheritedFdFloor = 100;
// Moves a descriptor up there; CLOEXEC (launch clears it in the child).
Expected<Fd> move_up(Fd fd);

int open_pidfd(int pid);  // -1 and errno on failure

}  // namespace snarl::os
