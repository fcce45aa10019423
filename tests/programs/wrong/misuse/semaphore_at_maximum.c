// snarl: kind=semaphore_overflow depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// "Never block": the semaphore starts at its highest value, and a post that comes before a wait is lost.
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t units;

static void* take(void* unused) {
  sem_wait(&units);
  return unused;
}

static void* give(void* unused) {
  sem_post(&units);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&units, 0, SEM_VALUE_MAX);
  pthread_create(&threads[0], NULL, take, NULL);
  pthread_create(&threads[1], NULL, give, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
