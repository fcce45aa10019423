// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// "A second is enough for it": the result is used although the worker has not been joined.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t request;
static int answer;

static void* work(void* arg) {
  sem_wait(&request);
  answer = 42;
  return arg;
}

int main(void) {
  pthread_t thread;
  struct timespec time;
  sem_init(&request, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  sem_post(&request);
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  pthread_timedjoin_np(thread, NULL, &time);
  assert(answer == 42);
  return 0;
}
