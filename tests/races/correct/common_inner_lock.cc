// Different locks outside, one and the same inside.
#include <mutex>
#include <thread>

std::mutex left, right, both;
int shared;

int main() {
  std::thread first([] {
    std::lock_guard outer(left);
    std::lock_guard inner(both);
    shared = 1;
  });
  std::thread second([] {
    std::lock_guard outer(right);
    std::lock_guard inner(both);
    shared = 2;
  });
  first.join();
  second.join();
  return 0;
}
