// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The barrier counts all three threads, but a worker that comes late and finds the work done leaves
// without waiting at it.
#include <pthread.h>

static pthread_barrier_t all_done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next_row, rows = 2;

static int take_row(void) {
  pthread_mutex_lock(&mutex);
  int row = next_row < rows ? next_row++ : -1;
  pthread_mutex_unlock(&mutex);
  return row;
}

static void *compute(void *arg) {
  (void)arg;
  int row = take_row();
  if (row < 0) return NULL;
  for (; row >= 0; row = take_row())
    for (volatile int i = 0; i < 400000; i = i + 1) {}
  pthread_barrier_wait(&all_done);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&all_done, NULL, 3);
  pthread_t a, b;
  pthread_create(&a, NULL, compute, NULL);
  pthread_create(&b, NULL, compute, NULL);
  pthread_barrier_wait(&all_done);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
