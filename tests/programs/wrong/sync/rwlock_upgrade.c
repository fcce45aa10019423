// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=24<11,11<25 measured=2
// A reader that finds an entry out of date asks for the write lock with its read lock still held, and
// so waits for itself. Out of date is what the other thread makes it, at the right moment.
#include <pthread.h>

static pthread_rwlock_t cache = PTHREAD_RWLOCK_INITIALIZER;
static int version = 1, cached = 1;

static void* look_up(void* arg) {
  (void)arg;
  pthread_rwlock_rdlock(&cache);
  if (cached != version) {
    pthread_rwlock_wrlock(&cache);
    cached = version;
  }
  pthread_rwlock_unlock(&cache);
  return NULL;
}

static void* publish(void* arg) {
  (void)arg;
  pthread_rwlock_wrlock(&cache);
  ++version;
  pthread_rwlock_unlock(&cache);
  pthread_rwlock_wrlock(&cache);
  cached = version;
  pthread_rwlock_unlock(&cache);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, look_up, NULL);
  pthread_create(&b, NULL, publish, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
