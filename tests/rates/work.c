// Depth 1, with long work before each step that matters. The second argument is how much: about a nanosecond each.
#include "rates.h"

static int ended;
static long rounds;

static void* first(void* arg) {
  point();
  if (read_of(&ended) != 0) hit();
  work(rounds);
  return arg;
}

static void* second(void* arg) {
  work(rounds);
  point();
  write_to(&ended, 1);
  return arg;
}

int main(int argc, char** argv) {
  read_arguments(argc, argv, 2);
  rounds = atol(argv[2]);
  run_both(first, second);
}
