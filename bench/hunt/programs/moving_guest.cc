// sizes: 3 20
// A guest moves up by one seat whenever the thread of that seat runs. Who looks for him from the top may miss him.
#include <atomic>

#include "hunt.h"

static std::atomic<bool> seats[THREADS];

static void move_up(int from) {
  if (!seats[from]) return;
  seats[from + 1] = true;
  seats[from] = false;
}

static bool is_anywhere() {
  for (int i = THREADS - 1; i >= 0; --i)
    if (seats[i]) return true;
  return false;
}

int main() {
  seats[0] = true;
  crowd(THREADS, [](int i) { i == THREADS - 1 ? EXPECT(is_anywhere()) : move_up(i); });
}
