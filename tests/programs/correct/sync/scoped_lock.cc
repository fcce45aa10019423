// snarl: correct
// std::scoped_lock takes two mutexes in opposite orders; its try-and-back-off must always end.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left_mutex;
std::mutex right_mutex;
int total = 0;

int main() {
  std::thread a([] {
    std::scoped_lock lock(left_mutex, right_mutex);
    total += 1;
  });
  std::thread b([] {
    std::scoped_lock lock(right_mutex, left_mutex);
    total += 2;
  });
  a.join();
  b.join();
  assert(total == 3);
}
