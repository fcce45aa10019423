// snarl: correct
// sem_wait and sem_trywait compete for the same units: a wait never returns without one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static int tried;

static void* wait_for_one(void* arg) {
  (void)arg;
  assert(sem_wait(&units) == 0);
  return NULL;
}

static void* try_one(void* arg) {
  (void)arg;
  if (sem_trywait(&units) == 0)
    tried = 1;
  else
    assert(errno == EAGAIN);
  return NULL;
}

int main(void) {
  sem_init(&units, 0, 0);
  pthread_t waiter, trier;
  pthread_create(&waiter, NULL, wait_for_one, NULL);
  pthread_create(&trier, NULL, try_one, NULL);
  sem_post(&units);
  pthread_join(trier, NULL);
  if (tried) sem_post(&units);
  pthread_join(waiter, NULL);
  int value = -1;
  sem_getvalue(&units, &value);
  assert(value == 0);
}
