#include "ring.h"

#include <atomic>

#ifdef RING_ORDER
constexpr auto kTake = std::memory_order_relaxed, kGive = std::memory_order_relaxed;
#else
constexpr auto kTake = std::memory_order_acquire, kGive = std::memory_order_release;
#endif

namespace {

constexpr unsigned kSize = 2;
int* slots[kSize];
std::atomic<unsigned> head, tail;

}  // namespace

bool push(int* item) {
  const unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(kTake) == kSize) return false;
  slots[at % kSize] = item;
  tail.store(at + 1, kGive);
  return true;
}

bool pop(int*& item) {
  const unsigned at = head.load(std::memory_order_relaxed);
  if (at == tail.load(kTake)) return false;
  item = slots[at % kSize];
  head.store(at + 1, kGive);
  return true;
}
