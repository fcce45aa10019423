// The object that shared pointers share is safe to share, a shared pointer is not.
#include <memory>
#include <thread>

std::shared_ptr<int> pointer = std::make_shared<int>(1);

int main() {
  std::thread first([] { pointer = std::make_shared<int>(2); });
  std::thread second([] { std::shared_ptr<int> mine = pointer; });
  first.join();
  second.join();
  return 0;
}
