// The table is replaced by a larger one once both have put something in, one of them perhaps into the old one.
#include "blind.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int small_table[2], large_table[2];
volatile int* volatile table = small_table;
volatile int used;
void put() {
  pthread_mutex_lock(&mutex);
  const int at = used;
  used = at + 1;
  volatile int* to = table;
  pthread_mutex_unlock(&mutex);
  to[at] = 1;
  pthread_mutex_lock(&mutex);
  if (used == 2 && table == small_table) {
    for (int i = 0; i < 2; ++i) large_table[i] = small_table[i];
    table = large_table;
  }
  pthread_mutex_unlock(&mutex);
}
int main() {
  run(put, put);
  check(table[0] + table[1] == 2);
}
