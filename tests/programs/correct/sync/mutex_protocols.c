// snarl: correct gates
// Mutexes with a protocol or shared between processes are mutexes all the same; one whose priority ceiling
// this process may not have says so, and can be tried again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t turn;
static pthread_rwlock_t lock;
static pthread_barrier_t barrier;
static int turns, value, written;

static void* work(void* arg) {
  const int mine = *(int*)arg;
  int error = pthread_mutex_lock(&mutex);
  if (error == 0) {
    while (turns % 2 != mine) pthread_cond_wait(&turn, &mutex);
    ++turns;
    ++value;
    pthread_cond_broadcast(&turn);
    assert(pthread_mutex_unlock(&mutex) == 0);
  } else {
    assert(error == EINVAL || error == EPERM);  // no real-time priority here
  }
  pthread_rwlock_wrlock(&lock);
  ++written;
  pthread_rwlock_unlock(&lock);
  pthread_barrier_wait(&barrier);
  return NULL;
}

static void run(const pthread_mutexattr_t* attributes, int shared) {
  pthread_condattr_t of_turn;
  pthread_rwlockattr_t of_lock;
  pthread_barrierattr_t of_barrier;
  pthread_condattr_init(&of_turn);
  pthread_rwlockattr_init(&of_lock);
  pthread_barrierattr_init(&of_barrier);
  pthread_condattr_setpshared(&of_turn, shared);
  pthread_rwlockattr_setpshared(&of_lock, shared);
  pthread_barrierattr_setpshared(&of_barrier, shared);
  assert(pthread_mutex_init(&mutex, attributes) == 0);
  assert(pthread_cond_init(&turn, &of_turn) == 0);
  assert(pthread_rwlock_init(&lock, &of_lock) == 0);
  assert(pthread_barrier_init(&barrier, &of_barrier, 3) == 0);
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  value = turns = written = 0;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  pthread_barrier_wait(&barrier);
  assert((value == 0 || value == 2) && written == 2);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&mutex);
  pthread_cond_destroy(&turn);
  pthread_rwlock_destroy(&lock);
  pthread_barrier_destroy(&barrier);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  run(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  run(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  run(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_NONE);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  run(&attributes, PTHREAD_PROCESS_SHARED);
  return 0;
}
