// snarl: correct
// A thread spins with sched_yield on a flag that a mutex protects: it must end under every policy.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static int value;

static int is_set(void) {
  pthread_mutex_lock(&mutex);
  int set = flag;
  pthread_mutex_unlock(&mutex);
  return set;
}

static void* spin(void* arg) {
  while (!is_set()) sched_yield();
  assert(value == 9);
  return arg;
}

int main(void) {
  pthread_t spinner;
  pthread_create(&spinner, NULL, spin, NULL);
  pthread_mutex_lock(&mutex);
  value = 9;
  flag = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(spinner, NULL);
  return 0;
}
