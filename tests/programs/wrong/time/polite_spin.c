// snarl: kind=livelock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// Each worker keeps its own lock while it tries for the other's: when both have one, both try for good.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void move(pthread_mutex_t* from, pthread_mutex_t* to) {
  pthread_mutex_lock(from);
  while (pthread_mutex_trylock(to) != 0) sched_yield();
  pthread_mutex_unlock(to);
  pthread_mutex_unlock(from);
}

static void* to_right(void* unused) {
  move(&left, &right);
  return unused;
}

static void* to_left(void* unused) {
  move(&right, &left);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, to_right, NULL);
  pthread_create(&threads[1], NULL, to_left, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
