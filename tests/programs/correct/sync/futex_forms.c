// snarl: correct
// A condition variable of its own, whose broadcast wakes one and lets the others wait for the lock
// (requeue); waiting for bits; a wake that changes a word on the way; deadlines by either clock.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint lock_word, sequence, flags, extra;
static int ready, passed;

static long futex(atomic_uint* word, int op, unsigned value, unsigned long fourth, atomic_uint* other, unsigned last) {
  return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, fourth, other, last);
}

static void lock(void) {  // 0 free, 2 taken and perhaps waited for
  while (atomic_exchange(&lock_word, 2) != 0) futex(&lock_word, FUTEX_WAIT, 2, 0, NULL, 0);
}

static void unlock(void) {
  atomic_store(&lock_word, 0);
  futex(&lock_word, FUTEX_WAKE, 1, 0, NULL, 0);
}

static void wait(void) {
  const unsigned seen = atomic_load(&sequence);
  unlock();
  futex(&sequence, FUTEX_WAIT, seen, 0, NULL, 0);
  lock();
}

static void broadcast(int way) {
  atomic_fetch_add(&sequence, 1);
  if (way == 0) {
    assert(futex(&sequence, FUTEX_REQUEUE, 1, 100, &lock_word, 0) >= 0);
  } else {
    assert(futex(&sequence, FUTEX_CMP_REQUEUE, 1, 100, &lock_word, atomic_load(&sequence) + 1) == -1 &&
           errno == EAGAIN);
    assert(futex(&sequence, FUTEX_CMP_REQUEUE, 1, 100, &lock_word, atomic_load(&sequence)) >= 0);
  }
}

static void* waits(void* arg) {
  (void)arg;
  lock();
  while (!ready) wait();
  ++passed;
  unlock();
  return NULL;
}

static void* waits_for_bit(void* arg) {
  const unsigned bit = *(unsigned*)arg;
  while ((atomic_load(&flags) & bit) == 0) {
    const unsigned seen = atomic_load(&flags);
    if ((seen & bit) == 0) futex(&flags, FUTEX_WAIT_BITSET, seen, 0, NULL, bit);
  }
  return NULL;
}

static void* waits_for_extra(void* arg) {
  while (atomic_load(&extra) == 0) futex(&extra, FUTEX_WAIT, 0, 0, NULL, 0);
  return arg;
}

static void deadlines(void) {
  struct timespec time = {.tv_nsec = 1000};
  assert(futex(&extra, FUTEX_WAIT, 7, (unsigned long)&time, NULL, 0) == -1 && errno == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &time);
  assert(futex(&extra, FUTEX_WAIT_BITSET, 7, (unsigned long)&time, NULL, ~0u) == -1 && errno == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &time);
  assert(futex(&extra, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 7, (unsigned long)&time, NULL, 4) == -1 &&
         errno == ETIMEDOUT);
  assert(futex(&extra, FUTEX_WAIT_BITSET, 7, 0, NULL, 0) == -1 && errno == EINVAL);
  assert(futex(&extra, FUTEX_WAIT, 6, 0, NULL, 0) == -1 && errno == EAGAIN);
}

int main(void) {
  pthread_t threads[3];
  for (int way = 0; way < 2; ++way) {
    ready = 0;
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, waits, NULL);
    lock();
    ready = 1;
    broadcast(way);
    unlock();
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  }
  assert(passed == 6);

  unsigned bits[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, waits_for_bit, &bits[i]);
  for (int i = 1; i >= 0; --i) {
    atomic_fetch_or(&flags, bits[i]);
    futex(&flags, FUTEX_WAKE_BITSET, 100, 0, NULL, bits[i]);
    pthread_join(threads[i], NULL);
  }

  pthread_create(&threads[0], NULL, waits_for_extra, NULL);
  const int set_7_if_0 = FUTEX_OP(FUTEX_OP_SET, 7, FUTEX_OP_CMP_EQ, 0);
  assert(futex(&sequence, FUTEX_WAKE_OP, 1, 1, &extra, (unsigned)set_7_if_0) <= 1);
  assert(atomic_load(&extra) == 7);
  pthread_join(threads[0], NULL);
  deadlines();
  return 0;
}
