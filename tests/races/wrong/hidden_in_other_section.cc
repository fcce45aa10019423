// Each thread holds a lock while it writes, but not the same one; a third lock comes between by chance.
#include <mutex>
#include <thread>

std::mutex left, right, both;
int shared[2];

int main() {
  std::thread first([] {
    {
      std::lock_guard guard(left);
      shared[1] = 1;
    }
    std::lock_guard guard(both);
  });
  std::thread second([] {
    { std::lock_guard guard(both); }
    std::lock_guard guard(right);
    shared[1] = 2;
  });
  first.join();
  second.join();
  return 0;
}
