// snarl: kind=deadlock depth=2 policy=random within=200 policy=pct:depth=2 within=500
// The signal may come between the look at the flag and pause(), which then waits for ever. No call is between the two.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t come;

static void on_signal(int number) {
  (void)number;
  come = 1;
}

static void* wait_for_signal(void* arg) {
  (void)arg;
  if (!come) pause();
  return NULL;
}

int main(void) {
  pthread_t waiter;
  signal(SIGUSR1, on_signal);
  pthread_create(&waiter, NULL, wait_for_signal, NULL);
  pthread_kill(waiter, SIGUSR1);
  pthread_join(waiter, NULL);
  return 0;
}
