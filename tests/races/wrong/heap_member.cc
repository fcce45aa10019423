// A member of an object of the heap.
#include <memory>
#include <thread>

struct Queue {
  long first = 0;
  int size = 0;
};

int main() {
  auto queue = std::make_unique<Queue>();
  std::thread worker([&queue] { queue->size = 1; });
  queue->size = 2;
  worker.join();
  return 0;
}
