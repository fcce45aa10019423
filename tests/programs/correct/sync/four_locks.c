// snarl: correct
// Two threads lock and unlock one mutex four times each: 70 partial orders.
#include <pthread.h>

enum { kTimes = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* lock(void* unused) {
  for (int i = 0; i < kTimes; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, lock, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
