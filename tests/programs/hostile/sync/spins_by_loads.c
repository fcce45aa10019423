// One thread waits for another by a loop of plain loads, which are no schedule points; a third is just there.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, count;

static void* waits(void* arg) {
  while (atomic_load(&ready) == 0) {
  }
  return arg;
}

static void* adds(void* last) {
  for (int i = 0; i < 20; ++i) atomic_fetch_add(&count, 1);
  if (last != NULL) atomic_store(&ready, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, adds, &ready);
  pthread_create(&threads[2], NULL, adds, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return atomic_load(&count) == 40 ? 0 : 1;
}
