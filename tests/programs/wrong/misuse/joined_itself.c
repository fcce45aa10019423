// snarl: kind=join_self depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A worker that finds the list of threads complete joins them all, itself too.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static int known;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  const int all = known;
  pthread_mutex_unlock(&lock);
  if (all) pthread_join(first, NULL);
  return unused;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_create(&first, NULL, work, NULL);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  known = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(first, NULL);
}
