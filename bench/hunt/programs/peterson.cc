// sizes: 3
// Peterson's lock, but a thread gives way before it says that it is interested. The third thread only watches.
#include <atomic>

#include "hunt.h"

static std::atomic<bool> interested[2];
static std::atomic<int> turn;
static std::atomic<int> inside;

static void enter(int me) {
  turn = 1 - me;
  interested[me] = true;
  while (interested[1 - me] && turn == 1 - me) std::this_thread::yield();
}

int main() {
  crowd(3, [](int i) {
    if (i == 2) return EXPECT(turn < 2);
    enter(i);
    EXPECT(++inside == 1);
    --inside;
    interested[i] = false;
  });
}
