// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=23<13,12<24 measured=2 pattern=abba
// Two functions take the same two locks in opposite orders.
#include <pthread.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static int dirty = 1;
static int written;

static void* flush(void* arg) {
  (void)arg;
  pthread_mutex_lock(&cache);
  pthread_mutex_lock(&disk);
  written += dirty;
  dirty = 0;
  pthread_mutex_unlock(&disk);
  pthread_mutex_unlock(&cache);
  return NULL;
}

static void* evict(void* arg) {
  (void)arg;
  pthread_mutex_lock(&disk);
  pthread_mutex_lock(&cache);
  written += dirty;
  dirty = 0;
  pthread_mutex_unlock(&cache);
  pthread_mutex_unlock(&disk);
  return NULL;
}

int main(void) {
  pthread_t flusher, evicter;
  pthread_create(&flusher, NULL, flush, NULL);
  pthread_create(&evicter, NULL, evict, NULL);
  pthread_join(flusher, NULL);
  pthread_join(evicter, NULL);
  return written == 1 ? 0 : 1;
}
