// snarl: correct
// Threads end with a robust mutex held. Whoever takes it next is told, in each of the ways to take one, and
// makes it consistent; one who only unlocks it has lost it for everybody.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t waiting;
static int recoveries;

static void* takes_it_along(void* arg) {
  assert(pthread_mutex_lock(&mutex) == 0);
  return arg;
}

static void recover(int error) {
  assert(error == EOWNERDEAD);
  ++recoveries;
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_consistent(&mutex) == EINVAL);
  assert(pthread_mutex_unlock(&mutex) == 0);
}

static int take(int way) {
  struct timespec late = {.tv_sec = 1000000000000};
  switch (way) {
    case 0: return pthread_mutex_lock(&mutex);
    case 1: return pthread_mutex_trylock(&mutex);
    default: return pthread_mutex_timedlock(&mutex, &late);
  }
}

static void* recovers(void* arg) {  // two of them: one is told, the other finds it whole
  int error;
  do error = take(*(int*)arg == 1 ? 0 : *(int*)arg);
  while (error == ETIMEDOUT);
  if (error != 0) {
    recover(error);
  } else {
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return arg;
}

static void* waits(void* arg) {  // the mutex comes back from a condition wait without its owner
  assert(pthread_mutex_lock(&mutex) == 0);
  sem_post(&waiting);
  int error = 0;
  while (error == 0) error = pthread_cond_wait(&changed, &mutex);
  recover(error);
  return arg;
}

static void* signals_and_ends(void* arg) {
  sem_wait(&waiting);
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_cond_signal(&changed);
  return arg;  // still holds the mutex
}

static void* loses_it(void* arg) {
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return arg;
}

static void run(void* (*body)(void*)) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, body, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
}

static void make(int type, int protocol) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
}

int main(void) {
  sem_init(&waiting, 0, 0);
  const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
  for (int i = 0; i < 6; ++i) {
    make(types[i % 3], i < 3 ? PTHREAD_PRIO_NONE : PTHREAD_PRIO_INHERIT);
    int way = i % 3;
    recoveries = 0;
    run(takes_it_along);
    recover(take(way));
    run(takes_it_along);
    pthread_t both[2];
    for (int j = 0; j < 2; ++j) pthread_create(&both[j], NULL, recovers, &way);
    for (int j = 0; j < 2; ++j) pthread_join(both[j], NULL);
    assert(recoveries == 2);
    pthread_create(&both[0], NULL, waits, NULL);
    pthread_create(&both[1], NULL, signals_and_ends, NULL);
    for (int j = 0; j < 2; ++j) pthread_join(both[j], NULL);
    assert(recoveries == 3);
    run(takes_it_along);
    run(loses_it);
    assert(take(0) == ENOTRECOVERABLE && take(2) == ENOTRECOVERABLE);  // trylock: libc leaves it locked
    assert(pthread_mutex_destroy(&mutex) == 0);
  }
  return 0;
}
