// Programs for the bound that snarl prints: each has a bug of known depth that needs no time-out, among points that
// tempt a scheduler to leave its plan: yields, naps, pauses, sleeps, timed waits, long work.
//
// With the first argument "armed" the bug shows, and its rate can be measured; with "calm" it is met and ignored, so
// that an exploration of the same schedules finds nothing and prints its bound.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int armed;

static inline void hit(void) {
  if (armed) abort();
}

static inline void read_arguments(int argc, char** argv, int wanted) {
  if (argc < 1 + wanted) exit(2);
  armed = strcmp(argv[1], "armed") == 0;
}

// One step each, always enabled; the plain code after it belongs to that step.
static inline void point(void) {
#if defined(POINT_YIELD)
  sched_yield();
#elif defined(POINT_NAP)
  usleep(0);
#elif defined(POINT_PAUSE)
  __builtin_ia32_pause();
#else
  pthread_mutex_t nobodys = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_trylock(&nobodys);
#endif
}

static int read_of(const int* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static void write_to(int* word, int value) {
  *(volatile int*)word = value;
}  // no atomic instruction, which would be a point

// About a nanosecond per round, without a point.
static inline void work(long rounds) {
  volatile unsigned long result;
  unsigned long x = 1;
  for (long i = 0; i < rounds; ++i) {
    x = x * 6364136223846793005UL + 1;
    __asm__ volatile("" : "+r"(x));
  }
  result = x;
  (void)result;
}

static inline void run_both(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
