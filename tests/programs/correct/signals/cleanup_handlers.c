// snarl: correct
// pthread_exit deep inside a worker runs its cleanup handlers, the last one pushed first; one of
// them releases the mutex that the other worker waits for.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cleanups;

static void unlock(void* arg) {
  ++cleanups;
  pthread_mutex_unlock(arg);
}

static void count(void* arg) {
  int* mine = arg;
  pthread_mutex_lock(&mutex);
  *mine = ++cleanups;
  pthread_mutex_unlock(&mutex);
}

static void leave(int* mine) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_exit(mine);
  pthread_cleanup_pop(0);
}

static void* work(void* arg) {
  pthread_cleanup_push(count, arg);
  leave(arg);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int order[2] = {0, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &order[i]);
  for (int i = 0; i < 2; ++i) {
    void* result = NULL;
    assert(pthread_join(threads[i], &result) == 0);
    assert(result == &order[i]);
    assert(order[i] >= 2);
  }
  assert(cleanups == 4);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
