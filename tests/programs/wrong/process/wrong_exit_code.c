// snarl: kind=exit code=3 depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// The server is started before its data are loaded; if it looks first, the program exits with 3.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int loaded;
static int status;

static void* serve(void* arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  status = loaded ? 0 : 3;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t server;
  pthread_mutex_lock(&mutex);
  pthread_create(&server, NULL, serve, NULL);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  loaded = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(server, NULL);
  return status;
}
