// Becomes, beside a thread that waits, a program that computes for a while. It has none of our signal handlers.
#include <pthread.h>
#include <unistd.h>

static void* sleeps(void* arg) {
  pause();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeps, NULL);
  execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done", (char*)NULL);
  return 1;
}
