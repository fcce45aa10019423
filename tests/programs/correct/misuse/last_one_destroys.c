// snarl: correct
// POSIX lets an object be destroyed as soon as nobody can use it any more: right after the unlock, broadcast,
// post or barrier of somebody else, who may still be inside that call.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct shared {
  pthread_mutex_t lock;
  pthread_rwlock_t rwlock;
  int users;
};

static pthread_barrier_t barrier;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened;
static sem_t done;
static int open;

static void leave(struct shared* s) {
  pthread_rwlock_wrlock(&s->rwlock);
  pthread_rwlock_unlock(&s->rwlock);
  pthread_mutex_lock(&s->lock);
  const int last = --s->users == 0;
  pthread_mutex_unlock(&s->lock);
  if (!last) return;
  pthread_mutex_destroy(&s->lock);
  pthread_rwlock_destroy(&s->rwlock);
  free(s);
}

static void* use(void* s) {
  leave(s);
  pthread_mutex_lock(&gate);
  while (!open) pthread_cond_wait(&opened, &gate);
  pthread_mutex_unlock(&gate);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(&barrier);
  sem_post(&done);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  struct shared* s = malloc(sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
  pthread_rwlock_init(&s->rwlock, NULL);
  pthread_cond_init(&opened, NULL);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&done, 0, 0);
  s->users = 3;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, s);
  leave(s);
  pthread_mutex_lock(&gate);
  open = 1;
  pthread_cond_broadcast(&opened);
  pthread_cond_destroy(&opened);  // all who waited have been woken, and nobody waits from now on
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < 2; ++i) sem_wait(&done);
  sem_destroy(&done);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
