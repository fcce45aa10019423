// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// The barrier counts all three threads, but a worker that comes late and finds the work done leaves
// without waiting at it.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_barrier_t all_done;
static sem_t device;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next_row, rows = 2;

static int take_row(void) {
  pthread_mutex_lock(&mutex);
  int row = next_row < rows ? next_row++ : -1;
  pthread_mutex_unlock(&mutex);
  return row;
}

// From a device that answers in 20 ms or, with snarl, whenever the policy likes.
static void read_row(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) {
    ++until.tv_sec;
    until.tv_nsec -= 1000000000;
  }
  sem_timedwait(&device, &until);
}

static void* compute(void* arg) {
  (void)arg;
  int row = take_row();
  if (row < 0) return NULL;
  for (; row >= 0; row = take_row()) read_row();
  pthread_barrier_wait(&all_done);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&all_done, NULL, 3);
  sem_init(&device, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, compute, NULL);
  pthread_create(&b, NULL, compute, NULL);
  pthread_barrier_wait(&all_done);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
