// Depth 3: the second thread begins between two neighbouring steps of the first, and is itself
// interrupted until the first has ended.
#include "tight.h"

static int begun, half, first_ended;

static void* first(void* arg) {
  point();
  if (read_of(&begun) != 0) return arg;
  point();
  if (read_of(&half) == 1) write_to(&first_ended, 1);
  return arg;
}

static void* second(void* arg) {
  write_to(&begun, 1);
  point();
  write_to(&half, 1);
  if (read_of(&first_ended) != 0) return arg;
  point();
  if (read_of(&first_ended) != 0) abort();
  return arg;
}

int main(void) { run_both(first, second); }
