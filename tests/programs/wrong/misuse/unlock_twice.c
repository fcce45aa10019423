// snarl: kind=unlock_not_locked depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The path for an empty table unlocks the log, and then falls into the common end, which does it again.
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void* add(void* unused) {
  pthread_mutex_lock(&table);
  ++entries;
  pthread_mutex_unlock(&table);
  return unused;
}

static void* look(void* unused) {
  pthread_mutex_lock(&log_lock);
  pthread_mutex_lock(&table);
  const int empty = entries == 0;
  pthread_mutex_unlock(&table);
  if (empty) pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&log_lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, add, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
