// Depth 1: the first thread takes its first step when the second has got what main gives it in time. A wait of the
// second that runs out of time is no way to the bug.
#include <semaphore.h>
#include <time.h>

#include "rates.h"

static int ended;
static sem_t given;

static void* first(void* arg) {
  point();
  if (read_of(&ended) != 0) hit();
  return arg;
}

static void* second(void* arg) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 300000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  if (sem_timedwait(&given, &until) != 0) return arg;
  write_to(&ended, 1);
  return arg;
}

int main(int argc, char** argv) {
  read_arguments(argc, argv, 1);
  sem_init(&given, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  for (int i = 0; i < 3; ++i) point();
  sem_post(&given);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
