// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000 cause=11<20 measured=1 pattern=order_violation
// The lock of a robust mutex is taken for granted: that its last owner ended half way through is overlooked.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int from = 100, to;

static void* moves(void* arg) {
  pthread_mutex_lock(&mutex);
  from -= 10;
  if (arg != NULL) pthread_exit(NULL);  // half way
  to += 10;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* audits(void* arg) {
  pthread_mutex_lock(&mutex);
  assert(from + to == 100);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t threads[2];
  int fails = 1;
  pthread_create(&threads[0], NULL, audits, NULL);
  pthread_create(&threads[1], NULL, moves, &fails);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
