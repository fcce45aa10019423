// sizes: 3
// A circular buffer for one producer is used by two: both may put an item into the same slot.
#include <atomic>

#include "hunt.h"

constexpr int kSlots = 8;
static std::atomic<int> slots[kSlots];
static std::atomic<int> head, tail;

static bool put(int item) {
  const int at = tail;
  if (at - head == kSlots) return false;
  slots[at % kSlots] = item;
  tail = at + 1;
  return true;
}

static int take() {
  const int at = head;
  if (at == tail) return 0;
  const int item = slots[at % kSlots];
  head = at + 1;
  return item;
}

int main() {
  static int sum;
  crowd(3, [](int i) {
    for (int n = 1; n <= 3; ++n) i == 2 ? static_cast<void>(sum += take()) : EXPECT(put(n));
  });
  while (const int item = take()) sum += item;
  EXPECT(sum == 12);
}
