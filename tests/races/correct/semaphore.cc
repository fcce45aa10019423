// A post comes before the wait that it lets go.
#include <semaphore.h>

#include <thread>

sem_t posted;
int value;

int main() {
  sem_init(&posted, 0, 0);
  std::thread other([] {
    value = 1;
    sem_post(&posted);
  });
  sem_wait(&posted);
  value = value + 1;
  other.join();
  return 0;
}
