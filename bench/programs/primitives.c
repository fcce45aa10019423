// One thread uses a primitive that nobody else wants while main waits for it: points at which
// nothing switches. The argument names the primitive, "list" lists them all.
// Prints the nanoseconds of CPU time that it took at best, and how many points those were.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "machine_clock.h"

enum { kParts = 20, kRounds = 2500 };  // a part is short enough to be left alone at least once

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t condvar = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static mtx_t c11_mutex;
static unsigned futex_word;
static const struct timespec far_away = {.tv_sec = 1L << 40};

static void nothing(void) {}
static void lock(void) { pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); }
static void lock_recursive(void) { pthread_mutex_lock(&recursive), pthread_mutex_unlock(&recursive); }
static void trylock(void) { pthread_mutex_trylock(&mutex), pthread_mutex_unlock(&mutex); }
static void timedlock(void) { pthread_mutex_timedlock(&mutex, &far_away), pthread_mutex_unlock(&mutex); }
static void c11_lock(void) { mtx_lock(&c11_mutex), mtx_unlock(&c11_mutex); }
static void signal_one(void) { pthread_cond_signal(&condvar); }
static void broadcast(void) { pthread_cond_broadcast(&condvar); }
static void read_lock(void) { pthread_rwlock_rdlock(&rwlock), pthread_rwlock_unlock(&rwlock); }
static void write_lock(void) { pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock); }
static void spin_lock(void) { pthread_spin_lock(&spin), pthread_spin_unlock(&spin); }
static void barrier_of_one(void) { pthread_barrier_wait(&barrier); }
static void call_once_again(void) { pthread_once(&once, nothing); }
static void post_and_wait(void) { sem_post(&semaphore), sem_wait(&semaphore); }
static void post_and_trywait(void) { sem_post(&semaphore), sem_trywait(&semaphore); }
static void wake(void) { syscall(SYS_futex, &futex_word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
static void yield(void) { sched_yield(); }
static void stream_lock(void) { flockfile(stderr), funlockfile(stderr); }
static void clock_read(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
}

// Points: one before every operation, one after unlock, signal, broadcast, post and wake.
static const struct Primitive {
  const char* name;
  void (*use)(void);
  int points;
} primitives[] = {
    {"mutex-lock-unlock", lock, 3},
    {"recursive-lock-unlock", lock_recursive, 3},
    {"mutex-trylock-unlock", trylock, 3},
    {"mutex-timedlock-unlock", timedlock, 3},
    {"mtx-lock-unlock", c11_lock, 3},
    {"cond-signal", signal_one, 2},
    {"cond-broadcast", broadcast, 2},
    {"rwlock-rdlock-unlock", read_lock, 3},
    {"rwlock-wrlock-unlock", write_lock, 3},
    {"spin-lock-unlock", spin_lock, 3},
    {"barrier-of-one", barrier_of_one, 1},
    {"once-again", call_once_again, 1},
    {"sem-post-wait", post_and_wait, 3},
    {"sem-post-trywait", post_and_trywait, 3},
    {"futex-wake", wake, 2},
    {"sched_yield", yield, 1},
    {"flockfile-funlockfile", stream_lock, 3},
    {"clock_gettime", clock_read, 1},
};
enum { kPrimitives = sizeof primitives / sizeof *primitives };

static void* measure(void* data) {
  const struct Primitive* p = data;
  p->use();
  long long best = 1LL << 60;
  for (int part = 0; part < kParts; ++part) {
    const long long start = cpu_now();
    for (int i = 0; i < kRounds; ++i) p->use();
    const long long took = cpu_now() - start;
    if (took < best) best = took;
  }
  printf("%lld %d\n", best, kRounds * p->points);
  return NULL;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 1);
  sem_init(&semaphore, 0, 0);
  mtx_init(&c11_mutex, mtx_plain);
  for (int i = 0; i < kPrimitives; ++i) {
    if (strcmp(words[1], "list") == 0) puts(primitives[i].name);
    if (strcmp(words[1], primitives[i].name) != 0) continue;
    pthread_t thread;
    pthread_create(&thread, NULL, measure, (void*)&primitives[i]);
    pthread_join(thread, NULL);
  }
  return 0;
}
