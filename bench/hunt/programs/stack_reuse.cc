// sizes: 3 20
// A stack of indices without tags: a node that is taken, and pushed again meanwhile, brings back an old successor.
#include <atomic>

#include "hunt.h"

constexpr int kNodes = 2 * THREADS;
static std::atomic<int> head, next[kNodes], owners[kNodes];

static int pop() {
  for (int node = head;;) {
    const int after = next[node];
    if (head.compare_exchange_strong(node, after)) return node;
  }
}

static void push(int node) {
  int first = head;
  do {
    next[node] = first;
  } while (!head.compare_exchange_strong(first, node));
}

static int take() {
  const int node = pop();
  EXPECT(++owners[node] == 1);
  return node;
}

static void give_back(int node) {
  --owners[node];
  push(node);
}

// There is always a node: each thread keeps one, and has two for a while.
int main() {
  for (int i = 0; i < kNodes; ++i) next[i] = i + 1;
  crowd(THREADS, [](int) {
    const int first = take();
    take();
    give_back(first);
  });
}
