// snarl: correct
// With a version beside the pointer, in one word.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static std::atomic<unsigned> next[3];
static std::atomic<bool> taken[3];
static std::atomic<uint64_t> top{3};  // version above, index below; 3: empty

static void push(unsigned node) {
  uint64_t seen = top.load();
  do next[node].store(static_cast<unsigned>(seen));
  while (!top.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | node));
}

static unsigned pop() {
  uint64_t seen = top.load();
  while (static_cast<unsigned>(seen) != 3 &&
         !top.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | next[static_cast<unsigned>(seen)].load())) {
  }
  const auto node = static_cast<unsigned>(seen);
  if (node != 3) assert(!taken[node].exchange(true));
  return node;
}

int main() {
  for (unsigned node : {2u, 1u, 0u}) push(node);
  std::thread other([] {
    const unsigned first = pop();
    pop();
    if (first == 3) return;
    taken[first] = false;
    push(first);
  });
  pop();
  pop();
  other.join();
}
