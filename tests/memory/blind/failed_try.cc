// The way around a lock that is taken changes what the lock protects.
#include "blind.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int total;
void add() {
  if (pthread_mutex_trylock(&mutex) == 0) {
    total = total + 1;
    pthread_mutex_unlock(&mutex);
  } else {
    total = total + 1;
  }
}
int main() {
  run(add, add);
  check(total == 2);
}
