// Two threads that share a lock for as many rounds as the argument says, and take two others in opposite orders half
// way.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, left = PTHREAD_MUTEX_INITIALIZER,
                       right = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static void share(long times) {
  for (long i = 0; i < times; ++i) {
    pthread_mutex_lock(&shared);
    pthread_mutex_unlock(&shared);
  }
}

static void take(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* go_right(void* unused) {
  share(rounds);
  take(&left, &right);
  return unused;
}

static void* go_left(void* unused) {
  share(rounds);
  take(&right, &left);
  return unused;
}

int main(int count, char** words) {
  pthread_t a, b;
  rounds = count > 1 ? atol(words[1]) : 0;
  pthread_create(&a, NULL, go_right, NULL);
  pthread_create(&b, NULL, go_left, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
