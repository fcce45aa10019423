// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The handler takes the lock that the thread holds when the signal interrupts it.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs, reports;

static void report(int number) {
  (void)number;
  pthread_mutex_lock(&mutex);
  ++reports;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* arg) {
  (void)arg;
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    ++jobs;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t worker;
  signal(SIGUSR1, report);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  return 0;
}
