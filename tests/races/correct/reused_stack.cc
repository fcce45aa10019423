// Threads one after the other on one stack.
#include <pthread.h>
#include <semaphore.h>

sem_t done;

void* work(void*) {
  volatile int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i;
  sem_post(&done);
  return nullptr;
}

int main() {
  sem_init(&done, 0, 0);
  for (int i = 0; i < 4; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_detach(thread);
  }
  for (int i = 0; i < 4; ++i) sem_wait(&done);
  return 0;
}
