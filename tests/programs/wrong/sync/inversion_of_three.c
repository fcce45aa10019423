// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=11<11,11<11,11<12 measured=3 pattern=lock_cycle
// Three modules call one another in a ring, each with its own lock held: a cycle of three locks.
#include <pthread.h>

static pthread_mutex_t window = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t document = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t printer = PTHREAD_MUTEX_INITIALIZER;
static int calls[3];

static void call(pthread_mutex_t* own, pthread_mutex_t* next, int* count) {
  pthread_mutex_lock(own);
  pthread_mutex_lock(next);
  ++*count;
  pthread_mutex_unlock(next);
  pthread_mutex_unlock(own);
}

static void* redraw(void* arg) {
  call(&window, &document, &calls[0]);
  return arg;
}

static void* save(void* arg) {
  call(&document, &printer, &calls[1]);
  return arg;
}

static void* print(void* arg) {
  call(&printer, &window, &calls[2]);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, redraw, NULL);
  pthread_create(&threads[1], NULL, save, NULL);
  pthread_create(&threads[2], NULL, print, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return calls[0] + calls[1] + calls[2] == 3 ? 0 : 1;
}
