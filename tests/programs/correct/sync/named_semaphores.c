// snarl: correct
// A named semaphore is one object under all its handles; it is gone when it is unlinked and closed.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static char name[64];
static int inside, entered;

static void* work(void* arg) {
  (void)arg;
  sem_t* lock = sem_open(name, 0);
  assert(lock != SEM_FAILED);
  struct timespec late = {.tv_sec = 1000000000000};
  while (sem_clockwait(lock, CLOCK_MONOTONIC, &late) != 0) assert(errno == ETIMEDOUT);
  assert(++inside == 1);
  ++entered;
  --inside;
  assert(sem_post(lock) == 0);
  assert(sem_close(lock) == 0);
  return NULL;
}

int main(void) {
  snprintf(name, sizeof name, "/snarl-test-%d", (int)getpid());
  sem_unlink(name);
  assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
  sem_t* lock = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  assert(lock != SEM_FAILED);
  assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(entered == 3);
  int value = -1;
  assert(sem_getvalue(lock, &value) == 0 && value == 1);
  assert(sem_wait(lock) == 0 && sem_trywait(lock) == -1 && errno == EAGAIN);
  assert(sem_getvalue(lock, &value) == 0 && value == 0);
  struct timespec past = {.tv_sec = 1};
  assert(sem_clockwait(lock, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_timedwait(lock, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_unlink(name) == 0 && sem_close(lock) == 0);
  assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
  return 0;
}
