// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// The fallback path after a failed trylock counts the contention and then updates without the lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int requests;
static int log_lines;

static void log_line(void) {
  pthread_mutex_lock(&log_mutex);
  ++log_lines;
  pthread_mutex_unlock(&log_mutex);
}

static void* handle(void* arg) {
  int* contended = arg;
  int locked = pthread_mutex_trylock(&stats) == 0;
  if (!locked) ++*contended;
  int seen = requests;
  log_line();
  requests = seen + 1;
  if (locked) pthread_mutex_unlock(&stats);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int contended[2] = {0, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, handle, &contended[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(requests == 2);
  return 0;
}
