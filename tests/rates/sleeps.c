// Depth 1, as depth1.c, with sleeps that are no part of the bug: one before the threads are there to be
// ordered, the others after.
#include "rates.h"

static int ended;

static void* sleeper(void* arg) {
  for (int i = 0; i < 3; ++i) usleep(200000);
  return arg;
}

static void* first(void* arg) {
  point();
  if (read_of(&ended) != 0) hit();
  usleep(1000);
  return arg;
}

static void* second(void* arg) {
  for (int i = 0; i < 4; ++i) point();
  write_to(&ended, 1);
  usleep(2000);
  point();
  return arg;
}

int main(int argc, char** argv) {
  read_arguments(argc, argv, 1);
  pthread_t c;
  pthread_create(&c, NULL, sleeper, NULL);
  run_both(first, second);
  pthread_join(c, NULL);
}
