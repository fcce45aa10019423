// What atomic instructions cost while another thread lives and waits. Prints a line for each kind: name, and CPU
// nanoseconds per instruction, the best of several.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "machine_clock.h"

enum { kTimes = 9, kRounds = 200000 };

static long value;
static sem_t done;

static void* wait_for_end(void* unused) {
  sem_wait(&done);
  return unused;
}

#define MEASURE(name, instruction)                                \
  do {                                                            \
    double best = 1e9;                                            \
    for (int time = 0; time < kTimes; ++time) {                   \
      value = 0;                                                  \
      const long long before = cpu_now();                         \
      for (long i = 0; i < kRounds; ++i) instruction;             \
      const double each = (double)(cpu_now() - before) / kRounds; \
      if (each < best) best = each;                               \
    }                                                             \
    printf("%s %.3f\n", name, best);                              \
  } while (0)

int main(void) {
  pthread_t other;
  sem_init(&done, 0, 0);
  pthread_create(&other, NULL, wait_for_end, NULL);
  MEASURE("add", __atomic_fetch_add(&value, i, __ATOMIC_SEQ_CST));
  MEASURE("xchg", __atomic_exchange_n(&value, i, __ATOMIC_SEQ_CST));
  MEASURE("cmpxchg", __sync_val_compare_and_swap(&value, i, i + 1));
  sem_post(&done);
  pthread_join(other, NULL);
  return 0;
}
