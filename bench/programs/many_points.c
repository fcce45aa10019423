// Two threads that share a lock, for as many points as the argument says. Prints the nanoseconds that
// it took, and how many points.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine_clock.h"

enum { kPointsPerRound = 3 };  // before lock, before unlock, after unlock

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static void* work(void* unused) {
  for (long i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  rounds = atol(words[1]) / kPointsPerRound / 2;
  pthread_t a, b;
  const long long start = now();
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%lld %ld\n", now() - start, rounds * kPointsPerRound * 2);
  return 0;
}
