// snarl: correct
// Every object is destroyed, made again in the same memory (by its init, or by assigning its initialiser),
// and used again by two threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition;
static pthread_rwlock_t rwlock;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int turn;

static void* use(void* unused) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  if (++turn == 2) pthread_cond_broadcast(&condition);
  while (turn < 2) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  sem_wait(&semaphore);
  sem_post(&semaphore);
  return unused;
}

static void use_all(void) {
  pthread_t thread;
  turn = 0;
  pthread_create(&thread, NULL, use, NULL);
  use(NULL);
  pthread_join(thread, NULL);
}

static void make(int by_assignment) {
  if (by_assignment) {
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  } else {
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&condition, NULL);
    pthread_rwlock_init(&rwlock, NULL);
  }
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
}

static void destroy(void) {
  assert(pthread_mutex_destroy(&mutex) == 0);
  assert(pthread_cond_destroy(&condition) == 0);
  assert(pthread_rwlock_destroy(&rwlock) == 0);
  assert(pthread_barrier_destroy(&barrier) == 0);
  assert(pthread_spin_destroy(&spin) == 0);
  assert(sem_destroy(&semaphore) == 0);
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    make(round == 1);
    use_all();
    destroy();
  }
}
