// The reader has just held the lock that the writer took after it wrote.
#include <mutex>
#include <thread>

std::mutex lock;
long setting, copy;
bool begun;

int main() {
  std::thread writer([] {
    setting = 7;
    std::lock_guard guard(lock);
    begun = true;
  });
  std::thread reader([] {
    {
      std::lock_guard guard(lock);
      begun = false;
    }
    copy = setting;
  });
  writer.join();
  reader.join();
  return 0;
}
