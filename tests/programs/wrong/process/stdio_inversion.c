// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// One thread locks the log file and then the counter that it prints, the other the other way round.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static int events;

static void* print_total(void* arg) {
  (void)arg;
  flockfile(stderr);
  pthread_mutex_lock(&counter);
  ++events;
  pthread_mutex_unlock(&counter);
  funlockfile(stderr);
  return NULL;
}

static void* count(void* arg) {
  (void)arg;
  pthread_mutex_lock(&counter);
  flockfile(stderr);
  ++events;
  funlockfile(stderr);
  pthread_mutex_unlock(&counter);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, print_total, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
