// snarl: kind=exit code=3 depth=1 policy=random within=200 policy=pct:depth=2 within=500
// The program becomes another one, which tells whether the record was complete: a thread may still have
// been writing it. What the new program does is the outcome.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t started;
static volatile int complete;

static void* finish(void* arg) {
  sem_post(&started);
  complete = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&started, 0, 0);
  pthread_create(&thread, NULL, finish, NULL);
  sem_wait(&started);
  return execl("/bin/sh", "sh", "-c", complete ? "exit 0" : "exit 3", (char*)NULL);
}
