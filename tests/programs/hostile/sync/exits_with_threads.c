// Calls _exit while one thread waits for ever and another may be anywhere.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void* wait_for_ever(void* arg) {
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  return arg;
}

static void* work(void* arg) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for_ever, NULL);
  pthread_create(&b, NULL, work, NULL);
  work(NULL);
  _exit(0);
}
