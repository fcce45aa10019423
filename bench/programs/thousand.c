// A thousand threads at once, each of which takes a lock three times.
#include <pthread.h>

enum { kThreads = 1000, kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* add(void* unused) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++total;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], &small, add, NULL) != 0) return 2;
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return total == kThreads * kRounds ? 0 : 1;
}
