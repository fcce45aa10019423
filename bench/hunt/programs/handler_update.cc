// sizes: 3
// A signal handler counts with the same variable as the thread that it interrupts.
#include <pthread.h>
#include <signal.h>

#include <atomic>

#include "hunt.h"

static volatile int count;
static std::atomic<bool> handled;

static void add() { count = count + 1; }

static void on_signal(int) {
  add();
  handled = true;
}

int main() {
  signal(SIGUSR1, on_signal);
  static const pthread_t self = pthread_self();
  std::thread sender([] { pthread_kill(self, SIGUSR1); });
  static std::atomic<int> others;
  std::thread noise([] { crowd(1, [](int) { ++others; }); });
  for (int i = 0; i < 3; ++i) add();
  while (!handled) std::this_thread::yield();
  EXPECT(count == 4);
  noise.join();
  sender.join();
}
