// snarl: kind=assert depth=3 policy=random within=500 policy=pct:depth=3 within=20000 pattern=overtaken pattern-hooks=overtaken
// A consumer tests `if` instead of `while` around its wait: another one may take the item first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void* consume(void* arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&filled, &mutex);
  assert(items > 0);
  --items;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void produce(void) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consume, NULL);
  pthread_create(&b, NULL, consume, NULL);
  produce();
  produce();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
