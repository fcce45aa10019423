// snarl: kind=use_after_free depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=use_after_free
// Main takes a free lock for "nobody needs it any more" and deletes the entry that the other thread is about to lock.
#include <mutex>
#include <thread>

struct Entry {
  std::mutex lock;
  long data[4] = {};
};

int main() {
  auto* entry = new Entry;
  std::thread user([entry] {
    entry->lock.lock();
    entry->data[0]++;
    entry->lock.unlock();
  });
  std::this_thread::yield();
  entry->lock.lock();
  entry->lock.unlock();
  delete entry;
  user.join();
}
