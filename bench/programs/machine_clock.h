// The machine's clock, not the one that snarl shows.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline long long now(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}
