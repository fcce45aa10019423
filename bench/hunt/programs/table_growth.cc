// sizes: 20
// A table grows by copying. What is written into the old one during the copy is lost.
#include <atomic>
#include <mutex>

#include "hunt.h"

constexpr int kSlots = THREADS;
static std::atomic<int> small[kSlots], large[kSlots];
static std::atomic<std::atomic<int>*> table{small};
static std::mutex growing;

static void grow() {
  std::lock_guard lock(growing);
  for (int i = 0; i < kSlots; ++i) large[i] = small[i].load();
  table = large;
}

static void put(int i) { table.load()[i] = 1; }

int main() {
  crowd(THREADS, [](int i) { i == THREADS - 1 ? grow() : put(i); });
  int found = 0;
  for (int i = 0; i < kSlots; ++i) found += table.load()[i];
  EXPECT(found == THREADS - 1);
}
