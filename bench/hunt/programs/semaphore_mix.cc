// sizes: 3
// Two kinds of permits. A thread that finds no printer at once takes a scanner instead, and always gives back a
// printer.
#include <semaphore.h>

#include "hunt.h"

static sem_t printers, scanners;

static void use(sem_t& permits, sem_t& instead) {
  if (sem_trywait(&permits) != 0) sem_wait(&instead);
  sem_post(&permits);
}

static void use_twice(sem_t& permits) {
  sem_wait(&permits);
  sem_wait(&permits);
  sem_post(&permits);
  sem_post(&permits);
}

int main() {
  sem_init(&printers, 0, 1);
  sem_init(&scanners, 0, 2);
  crowd(THREADS, [](int) { use(printers, scanners); });
  use_twice(scanners);
}
