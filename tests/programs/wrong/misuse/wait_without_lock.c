// snarl: kind=wait_not_owner depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The consumer unlocks the queue too early and waits for more with a mutex that it no longer holds.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void* produce(void* unused) {
  pthread_mutex_lock(&lock);
  items = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&lock);
  const int empty = items == 0;
  pthread_mutex_unlock(&lock);
  struct timespec soon = {0, 0};
  if (empty) {
    pthread_cond_timedwait(&filled, &lock, &soon);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, produce, NULL);
  pthread_create(&threads[1], NULL, consume, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
