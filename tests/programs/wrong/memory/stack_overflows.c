// snarl: kind=signal signal=SEGV depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A list is walked by recursion before it was closed: the walk never ends, until the thread's stack does. Below that
// stack lies a guard, and below the guard the stack of another thread, which must come to no harm.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_closed;

static long walk(volatile long depth) {
  volatile char frame[512];
  frame[0] = (char)depth;
  if (is_closed) return depth;
  return walk(depth + 1) + frame[0];
}

static void* close_list(void* unused) {
  pthread_mutex_lock(&mutex);
  is_closed = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* use_list(void* unused) {
  pthread_mutex_lock(&mutex);
  const long length = walk(0);
  pthread_mutex_unlock(&mutex);
  return length < 0 ? NULL : unused;
}

int main(void) {
  pthread_t closer, user;
  pthread_create(&closer, NULL, close_list, NULL);
  pthread_create(&user, NULL, use_list, NULL);
  pthread_join(closer, NULL);
  pthread_join(user, NULL);
  return 0;
}
