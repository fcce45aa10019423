// Depth 2: all of the second thread comes between two neighbouring steps of the first.
#include "rates.h"

static int begun, ended;

static void* first(void* arg) {
  for (int i = 0; i < 3; ++i) point();
  if (read_of(&begun) != 0) return arg;
  point();
  if (read_of(&ended) != 0) hit();
  return arg;
}

static void* second(void* arg) {
  write_to(&begun, 1);
  point();
  write_to(&ended, 1);
  return arg;
}

int main(int argc, char** argv) {
  read_arguments(argc, argv, 1);
  run_both(first, second);
}
