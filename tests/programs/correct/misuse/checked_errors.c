// snarl: correct
// A program may ask an error-checking or recursive mutex whether it is its own: it is told by an error.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int owned;

static void* use(void* unused) {
  for (int i = 0; i < 2; ++i) {
    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    ++owned;
    assert(pthread_mutex_unlock(&checked) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(owned == 4);
}
