// The small program of the speed tables: two std::threads, a mutex, about 23 points.
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int total;

void add() {
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<std::mutex> hold(mutex);
    ++total;
  }
}

}  // namespace

int main() {
  std::thread a(add);
  std::thread b(add);
  a.join();
  b.join();
  return total == 4 ? 0 : 1;
}
