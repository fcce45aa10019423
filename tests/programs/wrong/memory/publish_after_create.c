// snarl: kind=signal signal=SEGV depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// The creator sets the worker's pointer only after it has created and released it.
#include <pthread.h>

struct config {
  int verbose;
  int retries;
};

static struct config defaults = {0, 3};
struct config* volatile config;
static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* arg) {
  int* retries = arg;
  pthread_mutex_lock(&start);
  pthread_mutex_unlock(&start);
  *retries = config->retries;
  return NULL;
}

int main(void) {
  int retries = 0;
  pthread_t worker;
  pthread_mutex_lock(&start);
  pthread_create(&worker, NULL, work, &retries);
  pthread_mutex_unlock(&start);
  config = &defaults;
  pthread_join(worker, NULL);
  return retries == 3 ? 0 : 1;
}
