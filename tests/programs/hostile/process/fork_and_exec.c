// Not wrong: nothing may be found. (How long a copy takes is not up to the schedule, so it does not repeat.)
// A process with threads may fork while others hold locks: the copy goes on to exec, or makes a lock anew
// before it takes it.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;

static void* use(void* unused) {
  pthread_mutex_lock(&work);
  pthread_mutex_lock(&log_lock);
  sched_yield();
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&work);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0 && i == 0) execl("/bin/true", "true", (char*)NULL);
    if (child == 0) {
      pthread_mutex_init(&log_lock, NULL);
      pthread_mutex_lock(&log_lock);
      pthread_mutex_unlock(&log_lock);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert(status == 0);
  }
  pthread_join(thread, NULL);
}
