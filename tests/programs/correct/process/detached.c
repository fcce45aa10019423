// snarl: correct
// Detached threads, one by attribute and one by pthread_detach, with a completion handshake.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int running = 2;
static int sum;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  sum += *(int*)arg;
  --running;
  pthread_cond_signal(&finished);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  static int inputs[2] = {3, 4};
  pthread_attr_t attr;
  pthread_t a, b;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&a, &attr, work, &inputs[0]) == 0);
  pthread_attr_destroy(&attr);
  assert(pthread_create(&b, NULL, work, &inputs[1]) == 0);
  assert(pthread_detach(b) == 0);
  pthread_mutex_lock(&mutex);
  while (running > 0) pthread_cond_wait(&finished, &mutex);
  assert(sum == 7);
  pthread_mutex_unlock(&mutex);
  return 0;
}
