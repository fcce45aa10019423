// sizes: 20 100
// A reader that finds nothing gives its lock back, takes it for writing and does not look again.
#include <pthread.h>

#include "hunt.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries[THREADS];
static int made[THREADS];

static bool is_there(int key) {
  pthread_rwlock_rdlock(&lock);
  const bool there = entries[key] != 0;
  pthread_rwlock_unlock(&lock);
  return there;
}

static void make(int key) {
  pthread_rwlock_wrlock(&lock);
  entries[key] = key + 1;
  EXPECT(++made[key] == 1);
  pthread_rwlock_unlock(&lock);
}

// Only the last two threads share a key.
int main() {
  crowd(THREADS, [](int i) {
    const int key = i == THREADS - 1 ? i - 1 : i;
    if (!is_there(key)) make(key);
  });
}
