// snarl: correct
// Two threads take turns through one condition variable.
#include <assert.h>
#include <pthread.h>

enum { kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;
static int hits[2 * kRounds];
static int played;

static void* play(void* arg) {
  int me = *(int*)arg;
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    while (turn != me) pthread_cond_wait(&turned, &mutex);
    hits[played++] = me;
    turn = 1 - me;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int players[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, play, &players[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(played == 2 * kRounds);
  for (int i = 0; i < played; ++i) assert(hits[i] == i % 2);
  return 0;
}
