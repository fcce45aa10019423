// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A worker is cancelled while it waits for news, and nothing unlocks the mutex that the wait has given back.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int news;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  while (!news) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  news = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_cancel(thread);  // "it must be done by now"
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
