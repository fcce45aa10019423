// snarl: kind=assert within=3000
// A bounded queue: the producer says that the slot is full before it has written the value.
#include <atomic>
#include <cassert>
#include <thread>

struct Slot {
  std::atomic<unsigned> turn{0};
  int value = 0;
};
static Slot slots[2];
static std::atomic<unsigned> head, tail;

static void put(int value) {
  const unsigned ticket = tail.fetch_add(1);
  Slot& slot = slots[ticket % 2];
  while (slot.turn != ticket / 2 * 2) {
  }
  slot.turn = ticket / 2 * 2 + 1;
  slot.value = value;
}

static int get() {
  const unsigned ticket = head.fetch_add(1);
  Slot& slot = slots[ticket % 2];
  while (slot.turn != ticket / 2 * 2 + 1) {
  }
  const int value = slot.value;
  slot.turn = ticket / 2 * 2 + 2;
  return value;
}

int main() {
  std::thread producer([] { put(7); });
  assert(get() == 7);
  producer.join();
}
