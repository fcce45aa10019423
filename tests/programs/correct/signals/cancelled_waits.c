// snarl: correct
// A thread is cancelled in each of the calls that are cancellation points and wait: its cleanup handlers
// run, the last one pushed first, a condition wait has its mutex back by then, and join says so.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static int silent[2];
static pthread_t sleeper;
static pthread_key_t key;
static int cleanups, destructors;

static void unlock(void* arg) {
  assert(arg == &mutex);
  assert(cleanups++ == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
}

static void second(void* arg) {
  assert(*(int*)arg == 42);
  assert(cleanups++ == 1);
}

static void destroy(void* arg) {
  assert(arg == &key);
  assert(cleanups == 2);
  ++destructors;
}

static void wait_for_signal(void) { pthread_cond_wait(&never, &mutex); }
static void wait_in_time(void) {
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  for (;;) {
    late.tv_sec += 1000;
    assert(pthread_cond_timedwait(&never, &mutex, &late) == ETIMEDOUT);  // nobody signals
  }
}
static void wait_for_unit(void) { sem_wait(&empty); }
static void wait_for_data(void) {
  char byte;
  read(silent[0], &byte, 1);
}
static void wait_in_poll(void) {
  struct pollfd fd = {.fd = silent[0], .events = POLLIN};
  poll(&fd, 1, -1);
}
static void wait_for_end(void) { pthread_join(sleeper, NULL); }
static void sleep_long(void) {
  for (;;) sleep(1000);
}
static void wait_for_kill(void) {
  sigset_t set;
  int signal;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &signal);
}
static void spin(void) {
  for (;;) pthread_testcancel();
}

static void (*const waits[])(void) = {wait_for_signal, wait_in_time, wait_for_unit, wait_for_data, wait_in_poll,
                                      wait_for_end,    sleep_long,   wait_for_kill, spin};

static void* work(void* arg) {
  int local = 42;
  pthread_setspecific(key, &key);
  pthread_cleanup_push(second, &local);
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  (*(void (*const*)(void))arg)();
  assert(!"cancelled");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void cancel(pthread_t thread) {
  void* result = NULL;
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

static void* stay(void* arg) {
  sem_wait(arg);
  return arg;
}

int main(void) {
  sem_t go;
  void* result;
  sem_init(&empty, 0, 0);
  sem_init(&go, 0, 0);
  assert(pipe(silent) == 0);
  assert(pthread_key_create(&key, destroy) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  assert(pthread_create(&sleeper, NULL, stay, &go) == 0);
  for (unsigned i = 0; i < sizeof waits / sizeof *waits; ++i) {
    pthread_t thread;
    cleanups = 0;
    assert(pthread_create(&thread, NULL, work, (void*)&waits[i]) == 0);
    cancel(thread);
    assert(cleanups == 2);
    assert(destructors == (int)i + 1);
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
  }
  sem_post(&go);  // the one who joined it was cancelled: it may be joined again
  assert(pthread_join(sleeper, &result) == 0 && result == &go);
  return 0;
}
