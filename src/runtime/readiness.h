// Calls that the kernel may let wait: the thread publishes what it waits for, and makes the
// call when that has come, so that the call returns at once and others run meanwhile.
#pragma once

#include <cstdint>

#include "conduct/outside.h"
#include "runtime/thread.h"

namespace snarl {

// What a thread waits for: `events` of poll(2) on `fd`, or, if fd is negative, whatever
// `ready` says. Asked by whichever thread has the turn; lives on the waiting thread's stack.
struct Readiness {
  int fd = -1;
  short events = 0;
  bool (*ready)(const Readiness&) = nullptr;
  const void* data = nullptr;
};

// The step at which it has come. 0, or ETIMEDOUT if `timed` and the deadline was first.
int await(Thread& self, const Readiness& readiness, uint64_t pc, bool timed = false, uint64_t deadline = 0);

// Can a call on this descriptor wait? Files and devices never do.
bool may_wait(int fd);

// The conductor's eyes.
Outside& real_outside();

}  // namespace snarl
