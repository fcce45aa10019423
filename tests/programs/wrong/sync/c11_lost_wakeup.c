// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=lost_wake_up
// C11 threads: the flag is set and signalled without the mutex, between the waiter's test and its wait.
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static volatile int loaded;

static int load(void* arg) {
  (void)arg;
  loaded = 1;
  cnd_signal(&changed);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_t loader;
  thrd_create(&loader, load, NULL);
  for (volatile int i = 0; i < 1000000; i = i + 1) {
  }
  mtx_lock(&mutex);
  while (!loaded) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  int result = -1;
  thrd_join(loader, &result);
  return result;
}
