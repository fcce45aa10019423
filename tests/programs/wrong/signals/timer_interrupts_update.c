// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The alarm's handler adds to a total that the thread it interrupts has read and not yet written.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static volatile int total;
static volatile sig_atomic_t handled;

static void on_alarm(int number) {
  (void)number;
  total += 10;
  handled = 1;
}

static void* wait_a_little(void* arg) {
  sched_yield();
  return arg;
}

int main(void) {
  pthread_t other;
  signal(SIGALRM, on_alarm);
  pthread_create(&other, NULL, wait_a_little, NULL);
  alarm(1);
  const int old = total;
  sched_yield();
  total = old + 1;
  pthread_join(other, NULL);
  while (!handled) pause();
  assert(total == 11);
  return 0;
}
