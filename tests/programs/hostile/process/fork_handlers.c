// Handlers around fork take the lock that another thread may hold, wait for it, and leave the child a free one.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines, outer;

static void log_line(void) {
  pthread_mutex_lock(&mutex);
  ++lines;
  pthread_mutex_unlock(&mutex);
}

static void* log_two(void* arg) {
  log_line();
  log_line();
  return arg;
}

// Registered first, hence called last before the fork and first after it.
static void before(void) { pthread_mutex_lock(&mutex); }
static void after(void) { pthread_mutex_unlock(&mutex); }
static void before_outer(void) { ++outer; }
static void after_outer(void) { --outer; }

int main(void) {
  int status = -1;
  pthread_t thread;
  pthread_atfork(before, after, after);
  pthread_atfork(before_outer, after_outer, after_outer);
  pthread_create(&thread, NULL, log_two, NULL);
  const pid_t child = fork();
  if (child == 0) {
    log_line();
    _exit(outer);
  }
  waitpid(child, &status, 0);
  pthread_join(thread, NULL);
  return status == 0 && lines == 2 && outer == 0 ? 0 : 1;
}
