// snarl: correct
// Threads that are ordered by sleeping alone, as tests often are: no false alarm.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[4], count;

static void* work(void* arg) {
  const int turn = *(int*)arg;
  usleep(1000u * (unsigned)turn);
  pthread_mutex_lock(&mutex);
  order[count++] = turn;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  int turns[] = {3, 1, 4, 2};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, &turns[i]);
  sleep(1);
  pthread_mutex_lock(&mutex);
  assert(count == 4);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; ++i) assert(order[i] == i + 1);
}
