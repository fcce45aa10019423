// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The consumer looks at the counter, then announces that it sleeps: an item put between the two wakes nobody.
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items, sleeping, wake;

static int take(void) {
  pthread_mutex_lock(&mutex);
  const int got = items > 0 ? items-- : 0;
  pthread_mutex_unlock(&mutex);
  return got;
}

static void* consume(void* arg) {
  uint64_t count;
  while (!take()) {
    pthread_mutex_lock(&mutex);
    sleeping = 1;
    pthread_mutex_unlock(&mutex);
    if (read(wake, &count, sizeof count) != sizeof count) break;
  }
  return arg;
}

int main(void) {
  pthread_t consumer;
  const uint64_t one = 1;
  wake = eventfd(0, 0);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_mutex_lock(&mutex);
  ++items;
  const int wakes = sleeping;
  pthread_mutex_unlock(&mutex);
  if (wakes && write(wake, &one, sizeof one) != sizeof one) return 1;
  pthread_join(consumer, NULL);
  return 0;
}
