// Ten thousand threads, a few at a time: joined ones, detached ones, ones with a stack size of their own.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ended;

static void* work(void* arg) {
  sem_post(&ended);
  return arg;
}

int main(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  sem_init(&ended, 0, 0);
  for (int i = 0; i < 10000; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, i % 3 == 2 ? &small : NULL, work, NULL) != 0) abort();
    if (i % 3 == 1)
      pthread_detach(thread);
    else
      pthread_join(thread, NULL);
    sem_wait(&ended);
  }
  return 0;
}
