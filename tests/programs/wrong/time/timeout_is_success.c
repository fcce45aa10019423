// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Nobody looks at what the timed wait returned: a time-out counts as an answer.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int answer;

static void* serve(void* arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  answer = 42;
  pthread_cond_signal(&answered);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t server;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  pthread_create(&server, NULL, serve, NULL);
  if (answer == 0) pthread_cond_timedwait(&answered, &mutex, &until);
  assert(answer == 42);
  pthread_mutex_unlock(&mutex);
  pthread_join(server, NULL);
}
