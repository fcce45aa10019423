// snarl: correct
// Destructors of thread-specific values: each is called with its own value and finds the slot empty; one that
// sets a value again is called again, up to PTHREAD_DESTRUCTOR_ITERATIONS times in all; a deleted key's is not.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

static pthread_key_t once_key, stubborn_key, deleted_key, chained_key;
static tss_t c11_key;
static mtx_t mutex;
static int once_calls, stubborn_calls, chained_calls, c11_calls;

static void add(int* counter) {
  mtx_lock(&mutex);
  ++*counter;
  mtx_unlock(&mutex);
}

static void once_destructor(void* value) {
  assert(pthread_getspecific(once_key) == NULL);
  assert(value == &once_key);
  add(&once_calls);
  pthread_setspecific(chained_key, &chained_key);
}

static void stubborn_destructor(void* value) {
  add(&stubborn_calls);
  pthread_setspecific(stubborn_key, value);
}

static void chained_destructor(void* value) {
  assert(value == &chained_key);
  add(&chained_calls);
}

static void deleted_destructor(void* value) {
  (void)value;
  assert(!"deleted");
}

static void c11_destructor(void* value) {
  assert((intptr_t)value == 77);
  assert(tss_get(c11_key) == NULL);
  add(&c11_calls);
}

static int work(void* arg) {
  (void)arg;
  pthread_setspecific(once_key, &once_key);
  pthread_setspecific(stubborn_key, &stubborn_key);
  pthread_setspecific(deleted_key, &deleted_key);
  assert(tss_set(c11_key, (void*)(intptr_t)77) == thrd_success);
  assert(pthread_getspecific(chained_key) == NULL);
  return 5;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  pthread_key_create(&once_key, once_destructor);
  pthread_key_create(&stubborn_key, stubborn_destructor);
  pthread_key_create(&deleted_key, deleted_destructor);
  pthread_key_create(&chained_key, chained_destructor);
  assert(tss_create(&c11_key, c11_destructor) == thrd_success);
  pthread_key_delete(deleted_key);
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], work, NULL) == thrd_success);
  for (int i = 0; i < 2; ++i) {
    int result = 0;
    assert(thrd_join(threads[i], &result) == thrd_success && result == 5);
  }
  assert(once_calls == 2 && chained_calls == 2 && c11_calls == 2);
  assert(stubborn_calls == 2 * PTHREAD_DESTRUCTOR_ITERATIONS);
  mtx_destroy(&mutex);
  return 0;
}
