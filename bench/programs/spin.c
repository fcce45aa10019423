// Threads that spin on one flag, or on nine, in plain code: the loops have no schedule points of their own.
//
//   spin FLAGS
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kMostFlags = 9, kThreads = 2 };

static atomic_int flags[kMostFlags];
static int count, number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int all_are_set(void) {
  for (int i = 0; i < count; ++i)
    if (!atomic_load_explicit(&flags[i], memory_order_acquire)) return 0;
  return 1;
}

static void add(int what) {
  pthread_mutex_lock(&lock);
  number += what;
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  if (count == 1) {
    while (!atomic_load_explicit(&flags[0], memory_order_acquire)) {
    }
  } else {
    while (!all_are_set()) {
    }
  }
  add(1);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  count = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < count; ++i) {
    add(10);
    atomic_store_explicit(&flags[i], 1, memory_order_release);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return number == kThreads + 10 * count ? 0 : 1;
}
