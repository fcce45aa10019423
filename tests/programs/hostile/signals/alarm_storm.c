// A timer whose handler posts, so often that it interrupts every wait and every call.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static sem_t alarms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int served;

static void on_alarm(int number) {
  (void)number;
  sem_post(&alarms);
}

static void* serve(void* unused) {
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&lock);
    ++served;
    pthread_mutex_unlock(&lock);
    usleep(500);
    if (i % 20 == 0) sem_trywait(&alarms);
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
  struct itimerval every = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &every, NULL);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, serve, NULL);
  serve(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  memset(&every, 0, sizeof every);
  setitimer(ITIMER_REAL, &every, NULL);
  return served == 300 ? 0 : 1;
}
