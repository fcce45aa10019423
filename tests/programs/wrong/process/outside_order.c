// snarl: kind=assert depth=2 policy=random within=5000 policy=pct:depth=2 within=5000 layers_differ
// A lost update of which one half waits for a line from another process, which comes when it likes.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int from_child[2], total;

// Long enough for a line to come from outside, whatever the threads are switched with.
static void work(void) {
  for (volatile int i = 0; i < 1000000; ++i) {
  }
}

static void add(void) {
  const int old = total;
  work();
  sched_yield();
  total = old + 1;
}

static void* add_when_told(void* arg) {
  char line;
  if (read(from_child[0], &line, 1) != 1) abort();
  add();
  return arg;
}

static void* add_at_once(void* arg) {
  add();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  if (pipe(from_child) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    const struct timespec a_while = {0, (getpid() % 4) * 200000};
    nanosleep(&a_while, NULL);
    _exit(write(from_child[1], "x", 1) == 1 ? 0 : 1);
  }
  pthread_create(&threads[0], NULL, add_when_told, NULL);
  pthread_create(&threads[1], NULL, add_at_once, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(total == 2);
  return waitpid(child, NULL, 0) == child ? 0 : 1;
}
