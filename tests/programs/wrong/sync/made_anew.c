// snarl: kind=unlock_not_locked depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=made_anew pattern-hooks=made_anew
// The pool initialises its lock again when it is reset, while a worker holds it.
#include <pthread.h>

static pthread_mutex_t mutex;
static int items;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void reset(void) { pthread_mutex_init(&mutex, NULL); }

int main(void) {
  pthread_t worker;
  reset();
  pthread_create(&worker, NULL, work, NULL);
  reset();
  pthread_join(worker, NULL);
  return 0;
}
