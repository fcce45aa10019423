// snarl: correct
// thread_local objects and thread-specific data are destroyed before a join returns, in this order;
// their destructors take locks themselves.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int objects_destroyed = 0;
int keys_destroyed = 0;
pthread_key_t key;

struct Tracker {
  bool keyed = false;
  ~Tracker() {
    assert(!keyed || pthread_getspecific(key) != nullptr);
    std::lock_guard<std::mutex> lock(mutex);
    ++objects_destroyed;
  }
};

thread_local Tracker tracker;

void destroy_key(void* value) {
  std::lock_guard<std::mutex> lock(mutex);
  ++keys_destroyed;
  *static_cast<int*>(value) = objects_destroyed;
}

void work(int* value) {
  pthread_setspecific(key, value);
  tracker.keyed = true;
}

int main() {
  int values[2] = {0, 0};
  assert(pthread_key_create(&key, destroy_key) == 0);
  std::thread a(work, &values[0]);
  std::thread b(work, &values[1]);
  a.join();
  assert(values[0] >= 1);
  b.join();
  assert(values[1] >= 1);
  assert(objects_destroyed == 2);
  assert(keys_destroyed == 2);
  assert(pthread_key_delete(key) == 0);
}
