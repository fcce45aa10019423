// snarl: kind=unlock_not_locked depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A reader that finds the page stale gives its lock up at once, and at the end once more.
#include <pthread.h>

static pthread_mutex_t flags = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t page = PTHREAD_RWLOCK_INITIALIZER;
static int fresh;

static void* refresh(void* unused) {
  pthread_mutex_lock(&flags);
  fresh = 1;
  pthread_mutex_unlock(&flags);
  return unused;
}

static void* read_page(void* unused) {
  pthread_rwlock_rdlock(&page);
  pthread_mutex_lock(&flags);
  const int stale = !fresh;
  pthread_mutex_unlock(&flags);
  if (stale) pthread_rwlock_unlock(&page);
  pthread_rwlock_unlock(&page);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, refresh, NULL);
  pthread_create(&threads[1], NULL, read_page, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
