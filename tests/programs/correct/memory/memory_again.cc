// snarl: correct
// The memory of destroyed pthread objects is freed and becomes C++ objects, whose constructors call nobody,
// and the other way round.
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

union Memory {
  char bytes[256];
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  sem_t semaphore;
  pthread_barrier_t barrier;
};

static void both(void (*use)(void*), void* object) {
  std::thread other(use, object);
  use(object);
  other.join();
}

template <typename Mutex>
static void as_mutex(Memory* memory) {
  auto* mutex = new (memory) Mutex;
  both([](void* m) { static_cast<Mutex*>(m)->lock(), static_cast<Mutex*>(m)->unlock(); }, mutex);
  mutex->~Mutex();
}

static void as_condition(Memory* memory) {
  auto* condition = new (memory) std::condition_variable;
  static std::mutex mutex;
  static int arrived;
  arrived = 0;
  both(
      [](void* c) {
        std::unique_lock<std::mutex> held(mutex);
        if (++arrived == 2) static_cast<std::condition_variable*>(c)->notify_all();
        static_cast<std::condition_variable*>(c)->wait(held, [] { return arrived == 2; });
      },
      condition);
  condition->~condition_variable();
}

static void destroy_all(Memory* memory) {
  pthread_mutex_init(&memory->mutex, nullptr);
  pthread_mutex_destroy(&memory->mutex);
  as_mutex<std::mutex>(memory);
  pthread_cond_init(&memory->condition, nullptr);
  pthread_cond_destroy(&memory->condition);
  as_condition(memory);
  pthread_rwlock_init(&memory->rwlock, nullptr);
  pthread_rwlock_destroy(&memory->rwlock);
  as_mutex<std::shared_mutex>(memory);
  sem_init(&memory->semaphore, 0, 1);
  sem_destroy(&memory->semaphore);
  as_condition(memory);
  pthread_barrier_init(&memory->barrier, nullptr, 1);
  pthread_barrier_destroy(&memory->barrier);
  as_mutex<std::recursive_mutex>(memory);
}

int main() {
  for (int i = 0; i < 2; ++i) {  // the allocator gives the same memory back
    auto* memory = new Memory;
    destroy_all(memory);
    delete memory;
  }
}
