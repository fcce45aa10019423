// One thread locks and unlocks a mutex that nobody wants while main waits for it: points
// at which nothing switches. Prints the nanoseconds that it took, and how many points.
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kRounds = 100000, kPointsPerRound = 3 };  // before lock, before unlock, after unlock

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static long long now(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);  // the machine's clock, not the one that snarl shows
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void* locker(void* unused) {
  const long long start = now();
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  printf("%lld %d\n", now() - start, kRounds * kPointsPerRound);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, locker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
