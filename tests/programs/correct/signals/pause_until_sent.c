// snarl: correct
// A signal that is sent a while after the thread came to pause() ends it, and so does one of several.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int come, over;

static void on_signal(int number) {
  (void)number;
  atomic_fetch_add(&come, 1);
}

static void* wait_for_signal(void* until) {
  assert(pause() == -1 && errno == EINTR);
  assert(atomic_load(&come) > 0);
  atomic_store((atomic_int*)until, 1);
  return NULL;
}

int main(void) {
  pthread_t late, again;
  signal(SIGUSR1, on_signal);
  pthread_create(&late, NULL, wait_for_signal, &over);
  usleep(10000);
  pthread_kill(late, SIGUSR1);
  pthread_join(late, NULL);
  atomic_store(&over, 0);
  pthread_create(&again, NULL, wait_for_signal, &over);
  while (!atomic_load(&over)) {
    pthread_kill(again, SIGUSR1);
    usleep(1000);
  }
  pthread_join(again, NULL);
  return 0;
}
