// sizes: 3 20
// Each thread counts an item as begun and then as ended. The observer reads the two numbers in the wrong order, which
// shows if enough items pass between its looks.
#include <atomic>

#include "hunt.h"

static std::atomic<int> begun, ended;

static void observe() {
  const int early = begun;
  const int late = ended;
  EXPECT(late - early < (THREADS + 1) / 2);
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == THREADS - 1) return observe();
    ++begun;
    ++ended;
  });
}
