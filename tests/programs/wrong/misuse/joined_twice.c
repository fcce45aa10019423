// snarl: kind=join_twice depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Both the one who stops the pool and the one who waits for it join its worker.
#include <pthread.h>

static pthread_t worker;

static void* work(void* unused) { return unused; }

static void* stop(void* unused) {
  pthread_join(worker, NULL);
  return unused;
}

int main(void) {
  pthread_t stopper;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&stopper, NULL, stop, NULL);
  pthread_join(stopper, NULL);
  pthread_join(worker, NULL);
}
