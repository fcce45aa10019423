// Changes what is one beyond an array of variable length, if the other thread was first.
#include <pthread.h>

static volatile int turn, size = 4;

static void* first(void* unused) {
  turn = 1;
  return unused;
}
static int write_to(int n, int at) {
  int numbers[n];
  for (int i = 0; i < n; ++i) numbers[i] = i;
  numbers[at] += 1;
  return numbers[at];
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  const int seen = write_to(size, turn == 0 ? 3 : 4);
  pthread_join(thread, 0);
  return seen == 4 ? 0 : 3;
}
