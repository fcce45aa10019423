// Computes for a while without any schedule point, with others and alone. Not optimised, such a loop leaves the
// registers as they are: only memory shows that it comes to an end.
#include <pthread.h>
#include <stddef.h>

static int rounds;

static void count(void) {
  for (int i = 0; i < 150000000; ++i) {
  }
  ++rounds;
}

static void* work(void* arg) {
  count();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  count();
  return rounds == 2 ? 0 : 1;
}
