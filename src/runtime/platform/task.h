// What the kernel says of an OS thread of this process. No libc: a hook may ask.
#pragma once

#include <cstdint>

namespace snarl::runtime::task {

// The calling thread is the only one of its process, for the kernel.
bool is_alone();

// Waits for something.
bool is_asleep(int tid);

// CPU time that it has used, in nanoseconds.
uint64_t cpu_time_of(int tid);

// The system call that it is in.
constexpr long kNoCall = -1;       // it runs
constexpr long kUnknownCall = -2;  // it can't be seen
struct Call {
  long number;
  long first;  // argument
};
Call call_of(int tid);

}  // namespace snarl::runtime::task
