// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// A lock that prefers writers is read-locked twice by one thread: a writer that comes in between
// waits for the first, and the second waits for the writer.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t tree;
static int nodes = 2;

static int size(void) {
  pthread_rwlock_rdlock(&tree);
  int result = nodes;
  pthread_rwlock_unlock(&tree);
  return result;
}

static void* print(void* arg) {
  (void)arg;
  pthread_rwlock_rdlock(&tree);
  volatile int left = size();
  while (left > 0) left = left - 1;
  pthread_rwlock_unlock(&tree);
  return NULL;
}

static void* grow(void* arg) {
  (void)arg;
  pthread_rwlock_wrlock(&tree);
  ++nodes;
  pthread_rwlock_unlock(&tree);
  return NULL;
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&tree, &attributes);
  pthread_t a, b;
  pthread_create(&a, NULL, print, NULL);
  pthread_create(&b, NULL, grow, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
