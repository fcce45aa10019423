// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=12<17,19<17 measured=2 pattern=atomicity_violation pattern-hooks=double_take
// The read and the write of an increment are locked separately: an update between them is lost.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static int get_hits(void) {
  pthread_mutex_lock(&mutex);
  int value = hits;
  pthread_mutex_unlock(&mutex);
  return value;
}

static void set_hits(int value) {
  pthread_mutex_lock(&mutex);
  hits = value;
  pthread_mutex_unlock(&mutex);
}

static void* serve(void* arg) {
  (void)arg;
  set_hits(get_hits() + 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, serve, NULL);
  pthread_create(&b, NULL, serve, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(hits == 2);
  return 0;
}
