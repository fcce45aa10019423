// snarl: kind=destroy_waited depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// main gives up waiting for the worker's answer and destroys the semaphore on which the worker waits.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ready;

static void* work(void* unused) {
  struct timespec late = {0, 0};
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 5;
  sem_timedwait(&ready, &late);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  struct timespec moment = {1, 0};
  nanosleep(&moment, NULL);
  sem_destroy(&ready);
  pthread_join(thread, NULL);
}
