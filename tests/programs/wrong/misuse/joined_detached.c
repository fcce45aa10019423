// snarl: kind=join_detached depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The worker detaches itself when it finds nothing to do; main joins it all the same.
#include <pthread.h>

static void* work(void* unused) {
  pthread_detach(pthread_self());
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
}
