// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000 cause=16<25 measured=1 pattern=lost_wake_up
// A condition variable without any predicate: a signal that comes before the wait is forgotten.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t computed = PTHREAD_COND_INITIALIZER;
static unsigned sum;

static void* compute(void* arg) {
  (void)arg;
  volatile unsigned total = 0;
  for (unsigned i = 0; i < 1000; ++i) total = total + i;
  pthread_mutex_lock(&mutex);
  sum = total;
  pthread_cond_signal(&computed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_mutex_lock(&mutex);
  pthread_create(&worker, NULL, compute, NULL);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&computed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(worker, NULL);
  return sum == 499500u ? 0 : 1;
}
