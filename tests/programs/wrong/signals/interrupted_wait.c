// snarl: kind=assert depth=1 policy=random within=100 policy=pct:depth=2 within=500
// sem_wait is taken for done when a signal has interrupted it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t filled;
static int item;

static void on_signal(int number) { (void)number; }

static void* consume(void* arg) {
  (void)arg;
  sem_wait(&filled);
  assert(item == 1);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal};
  pthread_t consumer;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&filled, 0, 0);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_kill(consumer, SIGUSR1);
  item = 1;
  sem_post(&filled);
  pthread_join(consumer, NULL);
  return 0;
}
