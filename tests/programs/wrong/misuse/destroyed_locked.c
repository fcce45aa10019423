// snarl: kind=destroy_locked depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=destroyed_in_use
// The user says "I have it" while it is inside; main takes that for "I am done" and destroys the mutex.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t has_it;

static void* use(void* unused) {
  pthread_mutex_lock(&lock);
  sem_post(&has_it);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&has_it, 0, 0);
  pthread_create(&thread, NULL, use, NULL);
  sem_wait(&has_it);
  pthread_mutex_destroy(&lock);
  pthread_join(thread, NULL);
}
