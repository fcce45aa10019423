// sizes: 20
// A reader says which node it uses after it has read the pointer, and does not read it again.
#include <atomic>

#include "hunt.h"

struct Node {
  std::atomic<bool> reclaimed{false};
};
static Node nodes[2];
static std::atomic<Node*> current{&nodes[0]};
static std::atomic<Node*> hazards[THREADS];

static void use(int i) {
  Node* node = current;
  hazards[i] = node;
  EXPECT(!node->reclaimed);
  hazards[i] = nullptr;
}

static void replace() {
  Node* old = current.exchange(&nodes[1]);
  for (std::atomic<Node*>& hazard : hazards)
    if (hazard == old) return;  // left for another time
  old->reclaimed = true;
}

int main() {
  crowd(THREADS, [](int i) { i == THREADS / 2 ? replace() : use(i); });
}
