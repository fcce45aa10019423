// snarl: kind=use_after_destroy depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=used_after_destroy
// The cache is torn down with nobody inside, but a late reader may still come.
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t cache;

static void* read_cache(void* unused) {
  pthread_mutex_lock(&door);
  pthread_rwlock_rdlock(&cache);
  pthread_rwlock_unlock(&cache);
  pthread_mutex_unlock(&door);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&cache, NULL);
  pthread_create(&thread, NULL, read_cache, NULL);
  pthread_mutex_lock(&door);
  pthread_rwlock_destroy(&cache);
  pthread_mutex_unlock(&door);
  pthread_join(thread, NULL);
}
