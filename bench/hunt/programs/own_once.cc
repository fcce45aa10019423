// sizes: 20
// Who comes first initialises; the others see that somebody has begun, and go on.
#include <atomic>

#include "hunt.h"

static std::atomic<bool> begun[THREADS];
static std::atomic<int> limits[THREADS];

static void set_up(int part) {
  if (begun[part].exchange(true)) return;
  limits[part] = 5;
}

// Every part but the last is used by one thread only.
int main() {
  crowd(THREADS, [](int i) {
    const int part = i == 0 ? THREADS - 1 : i;
    set_up(part);
    EXPECT(limits[part] == 5);
  });
}
