// snarl: correct
// Handlers interrupt what POSIX lets them interrupt, masks hold them back, and sigwait, sigtimedwait
// and sigsuspend take them; locks and condition variables go on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static volatile sig_atomic_t plain, restarting, queued;
static int go;

static void on_plain(int number) { assert(number == SIGUSR1), ++plain; }
static void on_restart(int number) { assert(number == SIGUSR2), ++restarting; }
static void on_queued(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  assert(info->si_code == SI_QUEUE);
  queued = info->si_value.sival_int;
}

static void* interrupted_wait(void* arg) {
  (void)arg;
  const int before = plain;
  if (sem_wait(&ready) != 0) assert(errno == EINTR && plain > before);
  return NULL;
}

static void* restarted_wait(void* arg) {
  (void)arg;
  assert(sem_wait(&ready) == 0);
  return NULL;
}

static void* condition_wait(void* arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!go) assert(pthread_cond_wait(&changed, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* interrupted_sleep(void* arg) {
  (void)arg;
  struct timespec span = {0, 50000000}, left = {0, 0};
  if (nanosleep(&span, &left) != 0) assert(errno == EINTR && left.tv_sec == 0 && left.tv_nsec <= 50000000);
  return NULL;
}

static void* blocked(void* arg) {
  (void)arg;
  sigset_t set, old;
  int number = 0;
  struct timespec span = {0, 1000000};
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  sem_post(&ready);
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  assert(sigtimedwait(&set, NULL, &span) == -1 && errno == EAGAIN);
  raise(SIGUSR1);
  const int before = plain;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  assert(plain == before + 1);
  return NULL;
}

static volatile sig_atomic_t alarmed;
static void on_alarmed(int number) { (void)number, alarmed = 1; }

static void* suspended(void* arg) {
  sigset_t* mask = arg;
  while (!alarmed) assert(sigsuspend(mask) == -1 && errno == EINTR);
  return NULL;
}

static void with_signal(void* (*body)(void*), int number, int posts) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_kill(thread, number);
  for (int i = 0; i < posts; ++i) sem_post(&ready);
  pthread_join(thread, NULL);
  while (sem_trywait(&ready) == 0) continue;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sem_init(&ready, 0, 0);
  action.sa_handler = on_plain;
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, on_restart);
  struct sigaction old;
  sigaction(SIGUSR1, NULL, &old);
  assert(old.sa_handler == on_plain);

  with_signal(interrupted_wait, SIGUSR1, 1);
  with_signal(restarted_wait, SIGUSR2, 1);
  with_signal(interrupted_sleep, SIGUSR1, 0);

  pthread_t thread;
  pthread_create(&thread, NULL, condition_wait, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);

  pthread_create(&thread, NULL, blocked, NULL);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);

  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = on_queued;
  sigaction(SIGRTMIN, &action, NULL);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42});
  assert(queued == 42);

  sigset_t mine, theirs;
  signal(SIGALRM, on_alarmed);
  sigemptyset(&mine);
  sigaddset(&mine, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &mine, &theirs);
  pthread_create(&thread, NULL, suspended, &theirs);
  pthread_kill(thread, SIGALRM);
  pthread_join(thread, NULL);
  return 0;
}
