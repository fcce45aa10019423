// sizes: 3
// A spin lock is tried three times; whoever has not got it then goes on as if it had.
#include <atomic>

#include "hunt.h"

static std::atomic<bool> taken;
static int inside;

static bool try_to_take() {
  for (int i = 0; i < 3; ++i)
    if (!taken.exchange(true)) return true;
  return false;
}

int main() {
  crowd(THREADS, [](int) {
    const bool mine = try_to_take();
    EXPECT(++inside == 1);
    --inside;
    if (mine) taken = false;
  });
}
