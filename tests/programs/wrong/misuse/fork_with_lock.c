// snarl: kind=fork_holding depth=1 policy=random within=500 policy=pct:depth=2 within=2000 layers_differ
// A copy of the process logs something, with the mutex that another thread held when it was made.
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void* write_log(void* unused) {
  pthread_mutex_lock(&log_lock);
  sched_yield();
  pthread_mutex_unlock(&log_lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_log, NULL);
  const pid_t child = fork();
  if (child == 0) {
    struct timespec past = {1, 0};
    pthread_mutex_timedlock(&log_lock, &past);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  pthread_join(thread, NULL);
}
