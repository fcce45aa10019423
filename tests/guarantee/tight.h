// Programs for the guarantee of pct and ppct: exactly one directive leads to the bug.
//
// A point is a trylock of a mutex that nobody else touches: always enabled, one step, and the plain
// code after it belongs to that step. So there is exactly one place where a thread may be
// suspended between two points.
#pragma once

#include <pthread.h>
#include <stdlib.h>

static inline void point(void) {
  pthread_mutex_t nobodys = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_trylock(&nobodys);
}

static int read_of(const int* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static void write_to(int* word, int value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static inline void run_both(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
