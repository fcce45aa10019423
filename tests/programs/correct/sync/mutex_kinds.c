// snarl: correct
// Recursive and error-checking mutexes and trylock, with the errors that POSIX promises.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive;
static pthread_mutex_t checked;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void init(pthread_mutex_t* mutex, int kind) {
  pthread_mutexattr_t attr;
  assert(pthread_mutexattr_init(&attr) == 0);
  assert(pthread_mutexattr_settype(&attr, kind) == 0);
  assert(pthread_mutex_init(mutex, &attr) == 0);
  assert(pthread_mutexattr_destroy(&attr) == 0);
}

static void* bump(void* arg) {
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  ++count;
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);

  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_unlock(&checked) == 0);
  return arg;
}

static void* try_held(void* arg) {
  assert(pthread_mutex_trylock(&plain) == EBUSY);
  assert(pthread_mutex_trylock(&recursive) == EBUSY);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  return arg;
}

int main(void) {
  pthread_t a, b;
  init(&recursive, PTHREAD_MUTEX_RECURSIVE);
  init(&checked, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_unlock(&checked) == EPERM);

  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);

  pthread_mutex_lock(&plain);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checked);
  pthread_create(&a, NULL, try_held, NULL);
  pthread_join(a, NULL);
  pthread_mutex_unlock(&checked);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&plain);
  assert(pthread_mutex_destroy(&recursive) == 0);
  assert(pthread_mutex_destroy(&checked) == 0);
  return 0;
}
