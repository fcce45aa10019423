// snarl: correct
// Cancellation unwinds C++: destructors of locals release what they hold, a handler that catches everything
// passes it on, thread_local objects are destroyed last.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cassert>
#include <mutex>

namespace {

std::mutex mutex;
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
sem_t ended;
int order = 0;

struct Local {
  int expected;
  ~Local() { assert(++order == expected); }
};

struct Late {
  ~Late() { assert(++order == 5); }
};

struct Held {
  Held() { pthread_mutex_lock(&plain); }
  ~Held() { pthread_mutex_unlock(&plain); }
};

void wait_for_ever() {
  Held held;
  Local first{1};
  for (;;) pthread_cond_wait(&never, &plain);
}

void* work(void*) {
  thread_local Late late;
  (void)&late;
  Local last{4};
  try {
    std::lock_guard<std::mutex> lock(mutex);
    Local second{2};
    wait_for_ever();
  } catch (...) {
    assert(++order == 3);
    throw;
  }
  return nullptr;
}

}  // namespace

int main() {
  sem_init(&ended, 0, 0);
  for (int i = 0; i < 2; ++i) {
    order = 0;
    pthread_t thread;
    void* result = nullptr;
    pthread_create(&thread, nullptr, work, nullptr);
    if (i == 1) sleep(1);
    pthread_cancel(thread);
    assert(pthread_join(thread, &result) == 0);
    assert(result == PTHREAD_CANCELED);
    assert(order == 5);
    assert(mutex.try_lock());
    mutex.unlock();
    assert(pthread_mutex_trylock(&plain) == 0);
    pthread_mutex_unlock(&plain);
  }
}
