// snarl: correct
// Threads that create threads: a sum over a small binary tree.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int nodes = 0;

int sum(int node) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ++nodes;
  }
  if (node >= 4) return node;
  int left = 0;
  std::thread child([&] { left = sum(2 * node); });
  int right = sum(2 * node + 1);
  child.join();
  return node + left + right;
}

int main() {
  assert(sum(1) == 28);
  assert(nodes == 7);
}
