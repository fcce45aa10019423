// snarl: kind=assert depth=2 policy=pct:depth=2 within=3000 pattern=aba
// A lock-free stack whose nodes are used again: between a pop's look at the top and its exchange the others pop two
// and push the first back, and the exchange succeeds with a next that is no longer on the stack.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;
int next_of[3];
std::atomic<int> top = kNone;
std::atomic<int> owners[3];

void push(int node) {
  int old = top.load();
  do next_of[node] = old;
  while (!top.compare_exchange_strong(old, node));
}

int pop() {
  int old = top.fetch_add(0);
  while (old != kNone && !top.compare_exchange_strong(old, next_of[old])) {
  }
  return old;
}

void own(int node) {
  if (node == kNone) return;
  assert(owners[node].fetch_add(1) == 0);
}

void give_back(int node) {
  if (node == kNone) return;
  owners[node].fetch_sub(1);
  push(node);
}

void work() {
  const int a = pop();
  own(a);
  const int b = pop();
  own(b);
  give_back(a);
  if (b != kNone) owners[b].fetch_add(0);
}

int main() {
  for (int node = 0; node < 3; ++node) push(node);
  std::thread one(work), two(work);
  one.join();
  two.join();
}
