// Two threads that yield to each other: under any policy every yield is a switch.
// Prints the nanoseconds that it took.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kYields = 50000 };

static long long now(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);  // the machine's clock, not the one that snarl shows
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

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
