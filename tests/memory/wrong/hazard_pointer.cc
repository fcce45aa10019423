// snarl: kind=assert within=2000
// The reader says which object it uses, but does not look again whether that is still the current one.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  std::atomic<bool> freed{false};
};
static Object objects[2];
static std::atomic<Object*> current{&objects[0]}, hazard;

static void read() {
  Object* object = current;
  hazard = object;
  assert(!object->freed);
  hazard = nullptr;
}

static void replace() {
  Object* old = current.exchange(&objects[1]);
  while (hazard == old) {
  }
  old->freed = true;
}

int main() {
  std::thread other(replace);
  read();
  other.join();
}
