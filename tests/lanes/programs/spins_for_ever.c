// A thread that looks too early ends without an answer; main waits for that in a loop, while a third waits for main.
#include <pthread.h>
#include <sched.h>

static int asked, answered;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* answer(void* unused) {
  if (__atomic_load_n(&asked, __ATOMIC_SEQ_CST)) __atomic_store_n(&answered, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void* wait_for_main(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t early, third;
  pthread_mutex_lock(&mutex);
  pthread_create(&early, 0, answer, 0);
  pthread_create(&third, 0, wait_for_main, 0);
  __atomic_store_n(&asked, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&answered, __ATOMIC_SEQ_CST)) sched_yield();
  pthread_mutex_unlock(&mutex);
  pthread_join(early, 0);
  pthread_join(third, 0);
}
