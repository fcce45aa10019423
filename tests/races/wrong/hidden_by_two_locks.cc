// A third thread takes both locks one after the other, and so orders the other two by chance.
#include <mutex>
#include <thread>

std::mutex front, back;
int value;

int main() {
  std::thread first([] {
    value = 1;
    std::lock_guard guard(front);
  });
  std::thread second([] {
    { std::lock_guard guard(front); }
    std::lock_guard guard(back);
  });
  std::thread third([] {
    { std::lock_guard guard(back); }
    value = 2;
  });
  first.join();
  second.join();
  third.join();
  return 0;
}
