// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A worker that has taken a unit of the pool sleeps on, is cancelled there, and never gives it back.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t pool;

static void* work(void* arg) {
  sem_wait(&pool);
  usleep(100);
  sem_post(&pool);
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&pool, 0, 1);
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  sem_wait(&pool);
  return 0;
}
