// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// Main waits until the detached worker has started, not until it has finished, and then takes the
// job away from it.
#include <assert.h>
#include <pthread.h>

struct job {
  int valid;
  int result;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job job = {1, 0};
static int started;

static void* work(void* arg) {
  struct job* mine = arg;
  pthread_mutex_lock(&mutex);
  started = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);

  pthread_mutex_lock(&mutex);
  assert(mine->valid);
  mine->result = 42;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void serve_meanwhile(void) {
  volatile int steps = 0;
  while (steps < 100000) steps = steps + 1;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, &job);
  pthread_detach(worker);
  serve_meanwhile();
  pthread_mutex_lock(&mutex);
  while (!started) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);

  pthread_mutex_lock(&mutex);
  job.valid = 0;
  pthread_mutex_unlock(&mutex);
  pthread_exit(NULL);
}
