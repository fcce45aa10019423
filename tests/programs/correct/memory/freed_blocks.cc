// snarl: correct
// Memory that held a mutex is freed when nobody uses it any more, and comes back as another object: by malloc, by a
// pool of the program's own, in place, by zeroes, by a copy of an initialiser. None of these calls anybody that could
// tell.
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

struct Entry {
  long before;
  std::mutex lock;
  std::condition_variable changed;
  int value = 0;
};

struct Plain {
  pthread_mutex_t lock;
  long value;
};

template <typename Lock>
static void together(Lock& lock, long& value) {
  auto add = [&] {
    std::lock_guard<Lock> held(lock);
    ++value;
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
}

// The last one out frees it, right after the other has unlocked: POSIX allows that.
struct Counted {
  std::mutex lock;
  int users = 2;
};
static void drop(Counted* counted) {
  counted->lock.lock();
  const bool last = --counted->users == 0;
  counted->lock.unlock();
  if (last) delete counted;
}

static void plain_again(bool by_zeroes) {
  volatile uintptr_t last = 0;  // the compiler may think that a pointer to freed memory equals no other
  for (int i = 0; i < 3; ++i) {
    auto* plain = static_cast<Plain*>(malloc(sizeof(Plain)));
    asm volatile("" : "+r"(plain));  // else, with the memset, it becomes a calloc
    const auto here = reinterpret_cast<uintptr_t>(plain);
    if (last != 0 && here != last) abort();  // the test is about memory that comes back
    last = here;
    if (by_zeroes)
      memset(static_cast<void*>(plain), 0, sizeof *plain);
    else
      plain->lock = PTHREAD_MUTEX_INITIALIZER, plain->value = 0;
    std::thread user([=] {
      pthread_mutex_lock(&plain->lock);
      ++plain->value;
      pthread_mutex_unlock(&plain->lock);
    });
    pthread_mutex_lock(&plain->lock);
    ++plain->value;
    pthread_mutex_unlock(&plain->lock);
    user.join();
    free(plain);
  }
}

int main() {
  for (int i = 0; i < 2; ++i) {
    auto entry = std::make_unique<Entry>();
    long value = 0;
    together(entry->lock, value);
  }
  auto* counted = new Counted;
  std::thread other([=] { drop(counted); });
  drop(counted);
  other.join();
  plain_again(true);
  plain_again(false);
  alignas(Entry) static char pool[sizeof(Entry)];
  for (int i = 0; i < 2; ++i) {
    auto* entry = new (pool) Entry;
    long value = 0;
    together(entry->lock, value);
    entry->~Entry();
  }
  // Another kind of object where the mutex was.
  free(malloc(sizeof(Plain)));
  auto* semaphore = static_cast<sem_t*>(malloc(sizeof(Plain)));
  sem_init(semaphore, 0, 1);
  std::thread taker([=] { sem_wait(semaphore); });
  taker.join();
  sem_destroy(semaphore);
  free(semaphore);
  std::vector<std::unique_ptr<std::mutex>> many;
  for (int i = 0; i < 100; ++i) many.push_back(std::make_unique<std::mutex>());
  for (auto& lock : many) lock->lock(), lock->unlock(), lock.reset();
}
