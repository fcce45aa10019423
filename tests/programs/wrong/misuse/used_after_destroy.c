// snarl: kind=use_after_destroy depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=used_after_destroy
// The job says that it is done before it has said so to the condition variable; whoever waits for the flag
// may destroy it in between.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished;
static int done;

static void* job(void* unused) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&finished);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_cond_init(&finished, NULL);
  pthread_create(&thread, NULL, job, NULL);
  pthread_mutex_lock(&lock);
  while (!done) pthread_cond_wait(&finished, &lock);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&finished);
  pthread_join(thread, NULL);
}
