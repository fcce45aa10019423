// crowd THREADS ROUNDS [STACK]: so many threads at once, each of which takes one lock so many times. STACK: the size of
// their stacks in KiB, if it is not the default.
#include <pthread.h>
#include <stdlib.h>

enum { kMostThreads = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, rounds;

static void* add(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++total;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  static pthread_t threads[kMostThreads];
  if (argc < 3) return 2;
  const int count = atoi(argv[1]);
  if (count > kMostThreads) return 2;
  rounds = atoi(argv[2]);
  pthread_attr_t small;
  pthread_attr_init(&small);
  if (argc > 3) pthread_attr_setstacksize(&small, (size_t)atoi(argv[3]) << 10);
  for (int i = 0; i < count; ++i)
    if (pthread_create(&threads[i], argc > 3 ? &small : NULL, add, NULL) != 0) return 2;
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  return total == count * rounds ? 0 : 1;
}
