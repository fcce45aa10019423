// sizes: 3
// A thread looks at the flag that a signal handler sets, and then pauses: a signal in between is the last one.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "hunt.h"

static std::atomic<bool> woken;
static std::atomic<int> asleep;

static void on_signal(int) { woken = true; }

static void sleep_until_woken() {
  if (woken) return;
  ++asleep;
  pause();
}

int main() {
  signal(SIGUSR1, on_signal);
  std::thread sleeper(sleep_until_woken);
  crowd(2, [](int) { ++asleep; });
  pthread_kill(sleeper.native_handle(), SIGUSR1);
  sleeper.join();
}
