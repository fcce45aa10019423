// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Each worker's count is added to the total when its thread-specific value is destroyed, which is after it has
// said that it is done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static sem_t done;
static int total;

static void add(void* count) {
  pthread_mutex_lock(&mutex);
  total += (int)(intptr_t)count;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* arg) {
  pthread_setspecific(key, (void*)(intptr_t)7);
  sem_post(&done);
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&done, 0, 0);
  pthread_key_create(&key, add);
  pthread_create(&thread, NULL, work, NULL);
  sem_wait(&done);
  pthread_mutex_lock(&mutex);
  assert(total == 7);
  pthread_mutex_unlock(&mutex);
  return 0;
}
