// sizes: 3
// A door is opened, closed and locked by tests and stores. It must not be locked while it is open.
#include <atomic>

#include "hunt.h"

enum State { kClosed, kOpen, kLocked };
static std::atomic<int> door{kClosed};
static std::atomic<int> persons;

static void walk_through() {
  if (door != kClosed) return;
  door = kOpen;
  ++persons;
  EXPECT(door != kLocked);
  --persons;
  if (door == kOpen) door = kClosed;
}

static void lock_up() {
  if (persons == 0 && door == kClosed) door = kLocked;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == 0) walk_through();
    if (i == THREADS - 1) lock_up();
  });
}
