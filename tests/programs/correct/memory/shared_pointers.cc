// snarl: correct
// Shared and weak pointers: the library's own counts, with exceptions thrown while they are held.
#include <cassert>
#include <memory>
#include <stdexcept>
#include <thread>

struct Thing {
  int value = 7;
};

int use(std::weak_ptr<Thing> from, bool fail) {
  const std::shared_ptr<Thing> thing = from.lock();
  if (!thing) return 0;
  if (fail) throw std::runtime_error("on purpose");
  return thing->value;
}

void work(std::weak_ptr<Thing> from) {
  for (bool fail : {false, true, false}) {
    try {
      const int value = use(from, fail);
      assert(value == 0 || value == 7);
    } catch (const std::runtime_error&) {
      assert(fail);
    }
  }
}

int main() {
  auto thing = std::make_shared<Thing>();
  std::weak_ptr<Thing> weak = thing;
  std::thread one(work, weak), two(work, weak);
  thing.reset();
  one.join();
  two.join();
  assert(weak.expired());
}
