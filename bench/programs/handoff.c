// Two threads that yield to each other: under any policy every yield is a switch.
// Prints the nanoseconds that it took.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "machine_clock.h"

enum { kYields = 50000 };

static void* yielder(void* unused) {
  for (int i = 0; i < kYields; ++i) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a, b;
  const long long start = now();
  pthread_create(&a, NULL, yielder, NULL);
  pthread_create(&b, NULL, yielder, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%lld %d\n", now() - start, 2 * kYields);
  return 0;
}
