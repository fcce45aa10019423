// std::call_once.
#include <mutex>
#include <thread>

std::once_flag flag;
int value;

int main() {
  std::thread first([] {
    std::call_once(flag, [] { value = 1; });
    (void)*static_cast<volatile int*>(&value);
  });
  std::thread second([] {
    std::call_once(flag, [] { value = 1; });
    (void)*static_cast<volatile int*>(&value);
  });
  first.join();
  second.join();
  return 0;
}
