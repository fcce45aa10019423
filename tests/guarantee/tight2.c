// Depth 2: all of the second thread comes between two neighbouring steps of the first.
#include "tight.h"

static int begun, ended;

static void* first(void* arg) {
  for (int i = 0; i < 3; ++i) point();
  if (read_of(&begun) != 0) return arg;
  point();
  if (read_of(&ended) != 0) abort();
  return arg;
}

static void* second(void* arg) {
  write_to(&begun, 1);
  point();
  write_to(&ended, 1);
  return arg;
}

int main(void) { run_both(first, second); }
