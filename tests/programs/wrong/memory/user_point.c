// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// A plain counter: no call of libc stands between its read and its write, only a point of the user's own.
#include <assert.h>
#include <pthread.h>

#include "../../../../include/snarl/point.h"

static int counter;

static void* add(void* unused) {
  const int seen = counter;
  snarl_point("between-read-and-write");
  counter = seen + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
}
