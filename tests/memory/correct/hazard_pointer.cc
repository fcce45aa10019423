// snarl: correct
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  std::atomic<bool> freed{false};
};
static Object objects[2];
static std::atomic<Object*> current{&objects[0]}, hazard;

static void read() {
  Object* object;
  do hazard = object = current;
  while (current != object);
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
