// Depth 1: the first thread takes its first step when the second has ended.
#include "tight.h"

static int ended;

static void* first(void* arg) {
  point();
  if (read_of(&ended) != 0) abort();
  return arg;
}

static void* second(void* arg) {
  for (int i = 0; i < 4; ++i) point();
  write_to(&ended, 1);
  return arg;
}

int main(void) { run_both(first, second); }
