// sizes: 3 100
// The reference count is lowered and looked at in two operations: two threads free the block.
#include <atomic>
#include <cstdlib>

#include "hunt.h"

// Larger than what malloc caches per thread, where it would not notice.
constexpr size_t kSize = 4000;
static std::atomic<int> references{THREADS};
static void* block;

static void release() {
  --references;
  if (references == 0) std::free(block);
}

int main() {
  block = std::malloc(kSize);
  crowd(THREADS, [](int) { release(); });
}
