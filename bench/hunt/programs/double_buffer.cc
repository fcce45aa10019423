// sizes: 3
// The drawer asks which buffer is in front, and draws from it though it may be at the back by then.
#include <atomic>

#include "hunt.h"

static std::atomic<int> front;
static std::atomic<int> buffers[2][2] = {{1, 1}, {1, 1}};

static void fill(int value) {
  const int back = 1 - front;
  for (std::atomic<int>& cell : buffers[back]) cell = value;
  front = back;
}

static void draw() {
  std::atomic<int>* cells = buffers[front];
  const int left = cells[0], right = cells[1];
  EXPECT(left == right);
}

int main() {
  crowd(THREADS, [](int i) {
    if (i > 0) return draw();
    for (int n = 2; n <= 3; ++n) fill(n);
  });
}
