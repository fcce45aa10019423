// Found as a hang; each takes the five seconds after which a wait is called one, so it is replayed once only.
// The child of a fork that finds a lock held waits for it for ever: its holder was not copied.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void log_line(void) {
  pthread_mutex_lock(&mutex);
  ++lines;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* arg) {
  log_line();
  return arg;
}

int main(void) {
  pthread_t worker;
  int status = 0;
  pthread_create(&worker, NULL, work, NULL);
  const pid_t child = fork();
  if (child == 0) {
    log_line();
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  pthread_join(worker, NULL);
  return 0;
}
