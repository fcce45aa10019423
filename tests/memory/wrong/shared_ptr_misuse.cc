// snarl: kind=assert,signal within=2000
// One shared_ptr object, written by one thread while another copies it: its count is atomic, itself it is not.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> value;

int main() {
  value = std::make_shared<int>(1);
  std::thread other([] { value = std::make_shared<int>(2); });
  const std::shared_ptr<int> copy = value;
  assert(*copy == 1 || *copy == 2);
  assert(copy.use_count() >= 1 && copy.use_count() <= 2);
  other.join();
  assert(value.use_count() <= 2);
}
