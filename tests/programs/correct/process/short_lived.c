// snarl: correct
// Forty threads one after the other, two alive at a time, so that the system reuses their ids.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  for (int i = 0; i < 40; ++i) {
    pthread_t thread;
    void* result = NULL;
    assert(pthread_create(&thread, NULL, work, &count) == 0);
    assert(pthread_join(thread, &result) == 0);
    assert(result == &count);
    assert(count == i + 1);
  }
  return 0;
}
