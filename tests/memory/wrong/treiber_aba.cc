// snarl: kind=assert within=5000
// A stack without a lock whose pop reads `next` before it swaps: in between, the node was popped and pushed again.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next;
  bool taken;
};
static Node nodes[3];
static std::atomic<Node*> top;

static void push(Node* node) {
  node->next = top.load();
  while (!top.compare_exchange_weak(node->next, node)) {
  }
}

static Node* pop() {
  Node* node = top.load();
  while (node != nullptr && !top.compare_exchange_weak(node, node->next)) {
  }
  if (node != nullptr) {
    assert(!node->taken);
    node->taken = true;
  }
  return node;
}

int main() {
  push(&nodes[2]);
  push(&nodes[1]);
  push(&nodes[0]);
  std::thread other([] {
    Node* first = pop();
    pop();
    if (first != nullptr) {
      first->taken = false;
      push(first);
    }
  });
  pop();
  pop();
  other.join();
}
