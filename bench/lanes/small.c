// Two threads and some twenty steps. An update is lost in some schedules (depth 2).
#include <assert.h>
#include <pthread.h>

static int total, hits;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  ++total;
  pthread_mutex_unlock(&mutex);
  const int seen = hits;
  hits = seen + 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 2);
#ifdef CHECKED
  assert(hits == 2);
#endif
  return 0;
}
