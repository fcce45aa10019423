// The machine's clocks, not those that snarl shows.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline long long read_clock(clockid_t id) {
  struct timespec t;
  syscall(SYS_clock_gettime, id, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline long long now(void) { return read_clock(CLOCK_MONOTONIC); }

// The calling thread's CPU time: what else runs on the machine does not count.
static inline long long cpu_now(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
