// Makes a daemon, which leaves its session and its parents, has a child, and outlives it by a minute.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void make_daemon(void) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int fd = 0; fd < 3; ++fd) close(fd);
    fork();
    sleep(60);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(void) {
  make_daemon();
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
