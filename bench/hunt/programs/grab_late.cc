// sizes: 3
// A reader takes its reference after it has read the pointer. The object may be gone by then.
#include <atomic>

#include "hunt.h"

struct Object {
  std::atomic<int> references{1};
  std::atomic<bool> gone{false};
};
static Object object;
static std::atomic<Object*> current{&object};

static void release(Object* used) {
  if (--used->references == 0) used->gone = true;
}

static void use() {
  Object* mine = current;
  if (mine == nullptr) return;
  ++mine->references;
  EXPECT(!mine->gone);
  release(mine);
}

int main() {
  crowd(THREADS, [](int i) {
    if (i != THREADS / 2) return use();
    release(current.exchange(nullptr));
  });
}
