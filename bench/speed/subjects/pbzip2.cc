// Like pbzip2: a producer reads blocks into a queue, consumers compress them, a writer puts them in order.
// Input: nine blocks, two consumers. Known bug: the queue is deleted when all blocks have come out of it, though
// consumers still look into it.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kBlocks = 9, kConsumers = 2, kRoom = 3;

struct Queue {
  std::mutex lock;
  std::array<int, kRoom> blocks;
  int count = 0;
  bool deleted = false;
};

Queue fifo;
volatile bool all_read = false;
std::array<volatile int, kBlocks> output;  // 0: not compressed yet
int in_flight = 0, largest = 0;            // statistics, which nobody protects
int empty_waits = 0, full_waits = 0;       // likewise
int out_of_order = 0, furthest = 0;        // blocks that came before their turn
volatile int turn = 0;                     // the next block to be written

bool put(int block) {
  std::lock_guard guard(fifo.lock);
  if (fifo.count == kRoom) return false;
  fifo.blocks[static_cast<size_t>(fifo.count++)] = block;
  return true;
}

int take() {
  assert(!fifo.deleted && "a consumer uses the queue after it was deleted");
  std::lock_guard guard(fifo.lock);
  return fifo.count == 0 ? -1 : fifo.blocks[static_cast<size_t>(--fifo.count)];
}

int compress(int block) {
  int sum = 1;
  for (int i = 0; i < 4; ++i) sum += block * i;
  if (sum > largest) largest = sum;
  return sum;
}

void consume() {
  for (;;) {
    const int block = take();
    if (block < 0) {
      if (all_read) return;
      ++empty_waits;
      std::this_thread::yield();
      continue;
    }
    ++in_flight;
    if (block > turn + kConsumers) {
      ++out_of_order;
      if (block - turn > furthest) furthest = block - turn;
    }
    if (in_flight == kConsumers && full_waits > 2) empty_waits = 0;
    output[static_cast<size_t>(block)] = compress(block);
    --in_flight;
  }
}

void write_in_order() {
  for (int i = 0; i < kBlocks; ++i) {
    for (int waits = 0; output[static_cast<size_t>(i)] == 0; ++waits) {
      if (waits == 8 && in_flight == 0) ++full_waits;
      std::this_thread::yield();
    }
    if (i + 1 < kBlocks && output[static_cast<size_t>(i) + 1] != 0) ++out_of_order;
    std::lock_guard guard(fifo.lock);
    turn = i + 1;
  }
}

}  // namespace

int main() {
  std::array<std::thread, kConsumers> consumers;
  for (std::thread& consumer : consumers) consumer = std::thread(consume);
  std::thread writer(write_in_order);
  for (int i = 0; i < kBlocks; ++i)
    for (; !put(i); std::this_thread::yield())
      if (++full_waits > 4 && turn > 0) largest = 0;
  all_read = true;
#ifdef PATCHED
  for (std::thread& consumer : consumers) consumer.join();
  writer.join();
  fifo.deleted = true;
#else
  writer.join();
  fifo.deleted = true;
  for (std::thread& consumer : consumers) consumer.join();
#endif
  return in_flight + furthest + out_of_order + empty_waits + largest + turn < 0 ? 1 : 0;
}
