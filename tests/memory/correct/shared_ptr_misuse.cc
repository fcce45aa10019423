// snarl: correct
#include <cassert>
#include <memory>
#include <thread>

int main() {
  const std::shared_ptr<int> value = std::make_shared<int>(1);
  std::thread other([mine = value] { assert(*mine == 1); });
  const std::shared_ptr<int> copy = value;
  assert(*copy == 1);
  other.join();
  assert(value.use_count() == 2);
}
