// Two threads, two writes each: the number of schedules is known.
#include <pthread.h>

volatile int x, y;
static void* work(void* argument) {
  *(volatile int*)argument = 1;
  *(volatile int*)argument = 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void*)&x);
  pthread_create(&b, 0, work, (void*)&y);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
