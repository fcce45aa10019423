// The last one frees.
#include <memory>
#include <thread>

std::shared_ptr<int> make() { return std::make_shared<int>(1); }
std::shared_ptr<int> both[2];

int main() {
  both[0] = make();
  both[1] = both[0];
  std::thread first([] { both[0].reset(); });
  std::thread second([] { both[1].reset(); });
  first.join();
  second.join();
  return 0;
}
