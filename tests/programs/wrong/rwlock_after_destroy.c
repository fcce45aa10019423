// snarl: kind=use_after_destroy depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The cache is torn down while a late reader may still come.
#include <pthread.h>

static pthread_rwlock_t lock;

static void* read_cache(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&lock, NULL);
  pthread_create(&thread, NULL, read_cache, NULL);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_trywrlock(&lock) == 0) {  // nobody is inside now
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
  }
  pthread_join(thread, NULL);
}
