// sizes: 20
// Read-copy-update: the writer waits until it has seen each reader outside once, but looks before it has unlinked.
#include <atomic>

#include "hunt.h"

static std::atomic<int> inside[THREADS];
static std::atomic<int*> current;
static int old_value = 1, new_value = 1;

static void read(int i) {
  inside[i] = 1;
  const int* value = current;
  EXPECT(*value == 1);
  inside[i] = 0;
}

static void update() {
  for (std::atomic<int>& reader : inside)
    while (reader != 0) std::this_thread::yield();
  current = &new_value;
  old_value = 0;  // what free would do
}

int main() {
  current = &old_value;
  crowd(THREADS, [](int i) { i == 0 ? update() : read(i); });
}
