// Forks a child that outlives it by a minute.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  if (fork() == 0) {
    sleep(60);
    _exit(0);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
