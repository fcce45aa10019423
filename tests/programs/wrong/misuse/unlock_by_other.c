// snarl: kind=unlock_not_owner depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The helper is to give the buffer back for its owner, and unlocks the owner's mutex to do so.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t handed_over;

static void* owner(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_barrier_wait(&handed_over);
  return unused;
}

static void* helper(void* unused) {
  pthread_barrier_wait(&handed_over);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&handed_over, NULL, 2);
  pthread_create(&threads[0], NULL, owner, NULL);
  pthread_create(&threads[1], NULL, helper, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
