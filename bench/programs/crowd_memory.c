// A hundred threads beside main, each of which counts in shared memory under a lock, and in a place of its own.
#include <pthread.h>

enum { kThreads = 100, kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int total, started, own[kThreads];

static void* add(void* place) {
  ++started;  // a race without consequence
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++total;
    pthread_mutex_unlock(&mutex);
    ++*(volatile int*)place;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], NULL, add, (void*)&own[i]) != 0) return 2;
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return total == kThreads * kRounds && started > 0 ? 0 : 1;
}
