// A semaphore with two units is no lock.
#include <semaphore.h>

#include <thread>

sem_t units;
int value;

void work() {
  sem_wait(&units);
  value = value + 1;
  sem_post(&units);
}

int main() {
  sem_init(&units, 0, 2);
  std::thread first(work), second(work);
  first.join();
  second.join();
  return 0;
}
