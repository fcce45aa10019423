// Takes a time-out for success: wrong only where the deadline comes though the other thread could still run.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int made;

static void* maker(void* unused) {
  pthread_mutex_lock(&lock);
  made = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t thread;
  struct timespec until;
  pthread_create(&thread, 0, maker, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 1000000;
  if (until.tv_nsec >= 1000000000) ++until.tv_sec, until.tv_nsec -= 1000000000;
  pthread_mutex_lock(&lock);
  if (!made) pthread_cond_timedwait(&ready, &lock, &until);
  assert(made);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
