// snarl: correct
// Barriers used round after round: one serial thread per round, and nobody is a round ahead.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 3, kRounds = 3 };
static pthread_barrier_t barrier, alone;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int arrived[kRounds], serial;

static void* work(void* arg) {
  (void)arg;
  for (int round = 0; round < kRounds; ++round) {
    pthread_mutex_lock(&mutex);
    ++arrived[round];
    pthread_mutex_unlock(&mutex);
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_mutex_lock(&mutex);
    assert(arrived[round] == kThreads);
    serial += result == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  assert(pthread_barrier_init(&barrier, NULL, kThreads) == 0 && pthread_barrier_init(&alone, NULL, 1) == 0);
  assert(pthread_barrier_init(&(pthread_barrier_t){0}, NULL, 0) != 0);
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  work(NULL);
  assert(pthread_barrier_wait(&alone) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(serial == kRounds);
  assert(pthread_barrier_destroy(&barrier) == 0);
}
