// sizes: 3 100
// A width and a height that belong together are written and read under a lock, but each by itself. One of the
// readers minds.
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static int width = 1, height = 1;

static int read(const int& value) {
  std::lock_guard lock(mutex);
  return value;
}

static void write(int& value, int now) {
  std::lock_guard lock(mutex);
  value = now;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == 0) {
      write(width, 2);
      write(height, 2);
      return;
    }
    const int seen_width = read(width), seen_height = read(height);
    EXPECT(i != THREADS - 1 || seen_height >= seen_width);
  });
}
