// snarl: correct
// Main spins with sched_yield until a thread that sleeps first has set the flag.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static volatile int ready;

static void* sleep_and_set(void* arg) {
  (void)arg;
  usleep(100);
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleep_and_set, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) sched_yield();
  pthread_join(thread, NULL);
}
