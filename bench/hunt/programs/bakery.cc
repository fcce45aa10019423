// sizes: 3
// The bakery lock without the flag that says that a thread is choosing its number.
#include <atomic>

#include "hunt.h"

static std::atomic<int> numbers[THREADS];
static std::atomic<int> inside;

static int largest() {
  int most = 0;
  for (std::atomic<int>& number : numbers) most = number > most ? number.load() : most;
  return most;
}

static void enter(int me) {
  numbers[me] = 1 + largest();
  for (int i = 0; i < THREADS; ++i)
    while (i != me && numbers[i] != 0 && (numbers[i] < numbers[me] || (numbers[i] == numbers[me] && i < me)))
      std::this_thread::yield();
}

int main() {
  crowd(THREADS, [](int i) {
    enter(i);
    EXPECT(++inside == 1);
    --inside;
    numbers[i] = 0;
  });
}
