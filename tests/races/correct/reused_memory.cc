// Memory that was freed belongs to somebody else afterwards.
#include <memory>
#include <thread>

void work() {
  for (int i = 0; i < 3; ++i) *std::make_unique<int>(1) = i;
}

int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
  return 0;
}
