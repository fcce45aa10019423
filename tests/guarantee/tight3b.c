// Depth 3, the lowest of the low priorities first in time: main is lowered while it creates the third thread, that one
// to above main at its second point; then the second thread, the lowest at the start, then the rest.
#include "tight.h"

static int main_at, third_at, between;

static void* second(void* arg) {
  point();
  write_to(&between, read_of(&main_at) == 1 && read_of(&third_at) == 2);
  return arg;
}

static void* third(void* arg) {
  for (int i = 0; i < 4; ++i) {
    point();
    write_to(&third_at, i + 1);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, second, NULL);
  point();
  write_to(&main_at, 1);
  pthread_create(&b, NULL, third, NULL);
  write_to(&main_at, 2);
  if (read_of(&between) && read_of(&third_at) == 4) abort();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
