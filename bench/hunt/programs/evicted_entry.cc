// sizes: 20
// A cache hands out an entry and gives back its lock; the entry may be evicted while it is used.
#include <mutex>

#include "hunt.h"

struct Entry {
  int key = 0, value = 0;
};
static std::mutex mutex;
static Entry entry;

static const Entry* find(int key) {
  std::lock_guard lock(mutex);
  return entry.key == key ? &entry : nullptr;
}

static void replace(int key) {
  std::lock_guard lock(mutex);
  entry.key = key;
  entry.value = key * key;
}

int main() {
  replace(1);
  crowd(THREADS, [](int i) {
    if (i == THREADS - 2) return replace(2);
    if (const Entry* found = find(1)) EXPECT(i != THREADS - 1 || found->value == 1);
  });
}
