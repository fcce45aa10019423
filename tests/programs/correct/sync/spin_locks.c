// snarl: correct
// Spin locks, also tried, around a counter.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock, inner;
static int counter, skipped;

static void* count(void* arg) {
  (void)arg;
  for (int i = 0; i < 3; ++i) {
    const int error = i == 1 ? pthread_spin_trylock(&lock) : pthread_spin_lock(&lock);
    assert(error == 0 || (i == 1 && error == EBUSY));
    if (error != 0) {
      __atomic_fetch_add(&skipped, 1, __ATOMIC_SEQ_CST);
      continue;
    }
    assert(pthread_spin_trylock(&lock) == EBUSY);
    const int old = counter;
    pthread_spin_lock(&inner);  // a point, with the lock held
    counter = old + 1;
    pthread_spin_unlock(&inner);
    assert(pthread_spin_unlock(&lock) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&inner, PTHREAD_PROCESS_PRIVATE);
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  count(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter + skipped == 9);
  pthread_spin_destroy(&lock);
}
