// snarl: correct
// Main leaves by pthread_exit, and the workers go on; the process ends with the last of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  sum += *(int*)arg;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void check(void) { assert(sum == 11); }

int main(void) {
  static int inputs[2] = {5, 6};
  pthread_t threads[2];
  atexit(check);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &inputs[i]);
  for (int i = 0; i < 2; ++i) pthread_detach(threads[i]);
  pthread_exit(NULL);
}
