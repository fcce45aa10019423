// snarl: correct
// Deadlines come though one thread waits for a signal from outside, which may never come: to those who wait with
// one, to a sleeper, and to one for whom another yields.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nobody_signals = PTHREAD_COND_INITIALIZER;
static int slept;

static void* signal_waiter(void* set) {
  int number = 0;
  assert(sigwait(set, &number) == 0 && number == SIGUSR1);
  return NULL;
}

static void* timed_waiter(void* arg) {
  struct timespec until;
  int error = 0;
  (void)arg;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 2000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_mutex_lock(&mutex);
  while (error == 0) error = pthread_cond_timedwait(&nobody_signals, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  assert(error == ETIMEDOUT);
  return NULL;
}

static void* sleeper(void* arg) {
  (void)arg;
  usleep(1000);
  __atomic_store_n(&slept, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t waits_for_signal, waits_for_time, sleeps;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&waits_for_signal, NULL, signal_waiter, &set);
  pthread_create(&waits_for_time, NULL, timed_waiter, NULL);
  pthread_join(waits_for_time, NULL);
  pthread_create(&sleeps, NULL, sleeper, NULL);
  while (__atomic_load_n(&slept, __ATOMIC_SEQ_CST) == 0) sched_yield();
  pthread_join(sleeps, NULL);
  pthread_kill(waits_for_signal, SIGUSR1);
  pthread_join(waits_for_signal, NULL);
  return 0;
}
