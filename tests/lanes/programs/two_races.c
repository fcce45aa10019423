// A counter without a lock, beside one that a release store and an acquire load hand over.
#include <pthread.h>
#include <stdatomic.h>

static int handed, raced;
static atomic_int ready;

static void* other(void* unused) {
  handed = 5;
  atomic_store_explicit(&ready, 1, memory_order_release);
  raced = raced + 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int seen = 0;
  if (atomic_load_explicit(&ready, memory_order_acquire)) seen = handed;
  raced = raced + 1;
  pthread_join(thread, 0);
  return seen == 0 || seen == 5 ? 0 : raced;
}
