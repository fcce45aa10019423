// snarl: correct
// A signal is sent to a thread that waits for a semaphore, and ignored from then on. The thread may meet it after the
// post: it goes on with what the semaphore has by then.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t units;

static void on_signal(int number) { (void)number; }

static void* waiter(void* arg) {
  while (sem_wait(&units) != 0) {
  }
  return arg;
}

int main(void) {
  sem_init(&units, 0, 0);
  signal(SIGUSR1, on_signal);
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_kill(thread, SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  sem_post(&units);
  pthread_join(thread, NULL);
  return 0;
}
