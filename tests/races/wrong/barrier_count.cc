// A barrier for one thread holds nobody back.
#include <pthread.h>

#include <thread>

pthread_barrier_t barrier;
int value;

int main() {
  pthread_barrier_init(&barrier, nullptr, 1);
  std::thread other([] {
    value = 1;
    pthread_barrier_wait(&barrier);
  });
  pthread_barrier_wait(&barrier);
  const int seen = value;
  other.join();
  return seen > 1 ? 2 : 0;
}
