// snarl: correct
// Unnamed semaphores in all forms: a bounded buffer, units that are counted, waits that time out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t empty, full, guard, never;
static int buffer[2], put, got, taken;

static struct timespec in_an_hour(clockid_t id) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  t.tv_sec += 3600;
  return t;
}

static void* produce(void* arg) {
  (void)arg;
  for (int i = 1; i <= 3; ++i) {
    while (sem_wait(&empty) != 0) assert(0);
    buffer[put++ % 2] = i;
    assert(sem_post(&full) == 0);
  }
  return NULL;
}

static void* consume(void* arg) {
  (void)arg;
  for (int i = 1; i <= 3;) {
    struct timespec until = in_an_hour(CLOCK_REALTIME);
    if (sem_timedwait(&full, &until) != 0) {
      assert(errno == ETIMEDOUT);
      continue;
    }
    assert(buffer[got++ % 2] == i++);
    assert(sem_post(&empty) == 0);
  }
  return NULL;
}

static void* grab(void* arg) {
  (void)arg;
  if (sem_trywait(&guard) == 0)
    __atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST);
  else
    assert(errno == EAGAIN);
  struct timespec until = in_an_hour(CLOCK_MONOTONIC), past = {.tv_sec = 1};
  assert(sem_clockwait(&never, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
  assert(sem_timedwait(&never, &past) == -1 && errno == ETIMEDOUT);
  return NULL;
}

int main(void) {
  assert(sem_init(&empty, 0, 2) == 0 && sem_init(&full, 0, 0) == 0 && sem_init(&guard, 0, 1) == 0);
  assert(sem_init(&never, 0, 0) == 0);
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, produce, NULL);
  pthread_create(&threads[1], NULL, consume, NULL);
  pthread_create(&threads[2], NULL, grab, NULL);
  pthread_create(&threads[3], NULL, grab, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  int value = -1;
  assert(sem_getvalue(&empty, &value) == 0 && value == 2);
  assert(sem_getvalue(&full, &value) == 0 && value == 0);
  assert(taken == 1);
  assert(sem_destroy(&empty) == 0 && sem_destroy(&full) == 0 && sem_destroy(&guard) == 0);
}
