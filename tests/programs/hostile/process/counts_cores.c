// Fails unless it may use as many cores as its argument says, by what it is told and by what the kernel says: for
// parallel runs, where it is not pinned.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* nothing(void* argument) { return argument; }

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t other;
  pthread_create(&other, NULL, nothing, NULL);
  pthread_join(other, NULL);
  cpu_set_t told, real;
  CPU_ZERO(&told);
  CPU_ZERO(&real);
  sched_getaffinity(0, sizeof told, &told);
  syscall(SYS_sched_getaffinity, 0, sizeof real, &real);
  printf("%d, %d\n", CPU_COUNT(&told), CPU_COUNT(&real));
  return CPU_COUNT(&told) == wanted && CPU_COUNT(&real) == wanted ? 0 : 1;
}
