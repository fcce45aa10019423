// snarl: correct
// Two threads that want both locks try, give back what they have and yield: whatever the schedule, it ends.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* take_both(void* first) {
  pthread_mutex_t* mine = first;
  pthread_mutex_t* other = &locks[mine == &locks[0]];
  for (;;) {
    pthread_mutex_lock(mine);
    if (pthread_mutex_trylock(other) == 0) break;
    pthread_mutex_unlock(mine);
    sched_yield();
  }
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(mine);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take_both, &locks[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
