// A constructor makes a thread, as some libraries do when they are loaded.
#include <pthread.h>
#include <unistd.h>

static void* wait_for_ever(void* arg) {
  pause();
  return arg;
}

__attribute__((constructor)) static void start_early(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_ever, NULL);
}

static void* nothing(void* arg) { return arg; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  return 0;
}
