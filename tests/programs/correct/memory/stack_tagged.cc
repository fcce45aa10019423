// snarl: correct
// A lock-free stack whose top has a count of its changes beside it: nodes may be used again.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr uint32_t kNone = 0xffffffff;
std::atomic<uint32_t> next_of[3];
std::atomic<uint64_t> top = kNone;
std::atomic<int> owners[3];

uint64_t with(uint64_t old, uint32_t node) { return ((old >> 32) + 1) << 32 | node; }

void push(uint32_t node) {
  uint64_t old = top.load();
  do next_of[node] = static_cast<uint32_t>(old);
  while (!top.compare_exchange_strong(old, with(old, node)));
}

uint32_t pop() {
  uint64_t old = top.fetch_add(0);
  while (static_cast<uint32_t>(old) != kNone &&
         !top.compare_exchange_strong(old, with(old, next_of[static_cast<uint32_t>(old)]))) {
  }
  return static_cast<uint32_t>(old);
}

void own(uint32_t node) {
  if (node != kNone) assert(owners[node].fetch_add(1) == 0);
}

void give_back(uint32_t node) {
  if (node == kNone) return;
  owners[node].fetch_sub(1);
  push(node);
}

void work() {
  const uint32_t a = pop();
  own(a);
  const uint32_t b = pop();
  own(b);
  give_back(a);
}

int main() {
  for (uint32_t node = 0; node < 3; ++node) push(node);
  std::thread one(work), two(work);
  one.join();
  two.join();
}
