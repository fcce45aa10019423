// snarl: correct
// A timer that repeats keeps no thread from going on: its handler and what that does are no steps that the timer waits
// for.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static sem_t alarms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t due;
static int served, reported;

static void on_alarm(int number) {
  due = number;
  sem_post(&alarms);
}

static void* serve(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&lock);
    ++served;
    if (due) due = 0, ++reported;
    pthread_mutex_unlock(&lock);
    usleep(500);
  }
  return unused;
}

int main(void) {
  sem_init(&alarms, 0, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval every = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &every, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, serve, NULL);
  serve(NULL);
  pthread_join(thread, NULL);
  memset(&every, 0, sizeof every);
  setitimer(ITIMER_REAL, &every, NULL);
  return served == 10 ? 0 : 1;
}
