// More threads at once than snarl holds.
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void* work(void* arg) {
  sem_wait(&go);
  return arg;
}

int main(void) {
  static pthread_t threads[1100];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  sem_init(&go, 0, 0);
  for (int i = 0; i < 1100; ++i) pthread_create(&threads[i], &small, work, NULL);
  for (int i = 0; i < 1100; ++i) sem_post(&go);
  for (int i = 0; i < 1100; ++i) pthread_join(threads[i], NULL);
  return 0;
}
