// Who draws the last ticket adds without the lock.
#include "blind.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int tickets, total;
void add() {
  pthread_mutex_lock(&mutex);
  const int mine = tickets + 1;
  tickets = mine;
  pthread_mutex_unlock(&mutex);
  if (mine == 1) total = total + 1;
  if (mine == 2) total = total + 1;
}
int main() {
  run(add, add);
  check(total == 2);
}
