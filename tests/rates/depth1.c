// Depth 1: the first thread takes its first step when the second has done twenty. Only if it is the lowest of three.
#include "rates.h"

static int ended;

static void* first(void* arg) {
  point();
  if (read_of(&ended) != 0) hit();
  return arg;
}

static void* second(void* arg) {
  for (int i = 0; i < 20; ++i) point();
  write_to(&ended, 1);
  return arg;
}

int main(int argc, char** argv) {
  read_arguments(argc, argv, 1);
  run_both(first, second);
}
