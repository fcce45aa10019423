// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=lost_wake_up
// A condition variable by futex that reads its sequence number after the unlock: a wake between the two is missed.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sequence;
static int ready;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  while (!ready) {
    pthread_mutex_unlock(&mutex);
    syscall(SYS_futex, &sequence, FUTEX_WAIT_BITSET_PRIVATE, atomic_load(&sequence), NULL, NULL, 1);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  atomic_fetch_add(&sequence, 1);
  syscall(SYS_futex, &sequence, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
