// snarl: kind=unlock_not_locked depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A reader that finds the page stale gives its lock up to ask for a fresh one, and then once more.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int stale = 1;

static void* refresh(void* unused) {
  pthread_rwlock_wrlock(&lock);
  stale = 0;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* read_page(void* unused) {
  pthread_rwlock_rdlock(&lock);
  if (stale) pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, refresh, NULL);
  pthread_create(&threads[1], NULL, read_page, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
