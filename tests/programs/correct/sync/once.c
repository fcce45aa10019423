// snarl: correct
// pthread_once from three threads; late callers see the routine's result.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int runs;

static void init(void) {
  pthread_mutex_lock(&mutex);
  ++runs;
  pthread_mutex_unlock(&mutex);
}

static void* use(void* arg) {
  assert(pthread_once(&once, init) == 0);
  assert(runs == 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  use(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(runs == 1);
  return 0;
}
