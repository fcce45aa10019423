/* Fails only in the order a1 < b1 < c1 < b2 < a2 of the accesses of three threads: depth 3, and of the two threads that
 * have to be stopped, the second one goes on first. */
#include <assert.h>
#include <pthread.h>

static int a1, b1, c1, b2, wrong;

static void* first(void* unused) {
  (void)unused;
  a1 = 1;
  wrong = b2;
  return 0;
}
static void* second(void* unused) {
  (void)unused;
  if (a1 == 0) return 0;
  b1 = 1;
  b2 = c1;
  return 0;
}
static void* third(void* unused) {
  (void)unused;
  if (b1 != 0) c1 = 1;
  return 0;
}

int main(void) {
  void* (*const work[])(void*) = {first, second, third};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work[i], 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(!wrong);
  return 0;
}
