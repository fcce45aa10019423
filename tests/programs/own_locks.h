// Locks that nobody knows but the program: the .locks files here describe them.
#pragma once

#include <atomic>

// What is described must be there, with its arguments: no copies of it, here or there.
#if defined(OWN_LOCK)
#elif defined(__clang__)
#define OWN_LOCK __attribute__((noinline))
#else
#define OWN_LOCK __attribute__((noipa))
#endif

class spin_lock {
 public:
  OWN_LOCK void lock() {
    while (taken_.exchange(true)) {
    }
  }
  OWN_LOCK bool try_lock() { return !taken_.exchange(true); }
  OWN_LOCK void unlock() { taken_.store(false); }

 private:
  std::atomic<bool> taken_{false};
};

// A negative count: a writer has it.
class reader_lock {
 public:
  OWN_LOCK void lock_shared() {
    while (try_shared() != 0) {
    }
  }
  OWN_LOCK int try_shared() {
    int seen = count_.load();
    return seen >= 0 && count_.compare_exchange_strong(seen, seen + 1) ? 0 : 16;
  }
  OWN_LOCK void unlock_shared() { count_.fetch_sub(1); }

  std::atomic<int> count_{0};
};

// The lock is the second argument, and the functions are C's.
extern "C" {
OWN_LOCK inline void take(int, reader_lock* lock) {
  int free = 0;
  while (!lock->count_.compare_exchange_weak(free, -1)) free = 0;
}
OWN_LOCK inline int give(int what, reader_lock* lock) {
  lock->count_.store(0);
  return what;
}
}
