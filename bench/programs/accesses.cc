// Four kernels, for what a hook at each memory access costs: matrix, histogram, list, strings. Prints a line for each:
// name and CPU nanoseconds (the best of several), or, where the hooks count (counting_hooks.c), plain accesses. With a
// word instead: `shared`, two threads that access the same memory, prints nanoseconds per access; `turns`, two threads
// that take turns with a mutex, and `mutex`, two that take it all the time, print the nanoseconds of it all.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "machine_clock.h"

constexpr int kSize = 128, kTimes = 7;

// For all that the compiler knows, others write and read them: nothing of the product can be left out.
extern double a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];
double a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];

extern "C" long counted_accesses;
extern "C" __attribute__((weak)) long counted_accesses;

namespace {

unsigned char bytes[1 << 18];
unsigned counts[256];
struct Node {
  Node* next;
  long value;
};
std::vector<Node> nodes(10'000);
volatile long sink;

void matrix() {
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  sink = static_cast<long>(c[3][5]);
}

void histogram() {
  for (const unsigned char byte : bytes) ++counts[byte];
}

void list() {
  long sum = 0;
  for (int round = 0; round < 50; ++round)
    for (const Node* node = nodes.data(); node != nullptr; node = node->next) sum += node->value;
  sink = sum;
}

void strings() {
  long size = 0;
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i % 26);
    size += static_cast<long>(text.size());
  }
  sink = size;
}

void measure(const char* name, void (*kernel)()) {
  long long best = 1LL << 60;
  for (int i = 0; i < kTimes; ++i) {
    const bool counts = &counted_accesses != nullptr;
    const long long before = counts ? counted_accesses : cpu_now();
    kernel();
    const long long spent = (counts ? counted_accesses : cpu_now()) - before;
    if (spent < best) best = spent;
  }
  std::printf("%s %lld\n", name, best);
}

int shared_value[64];
constexpr long kRounds = 400'000;

void touch() {
  for (long i = 0; i < kRounds; ++i) shared_value[i % 64] += static_cast<int>(i);
}

// On fibers the threads are one for the kernel: the CPU time is theirs together.
void measure_shared() {
  const long long before = cpu_now();
  std::thread other(touch);
  touch();
  other.join();
  std::printf("%.2f\n", static_cast<double>(cpu_now() - before) / (4.0 * kRounds));
}

std::mutex lock;
std::condition_variable changed;
int turn = 0;
constexpr int kTurns = 20'000;

void take_turns(int mine) {
  for (int i = 0; i < kTurns; ++i) {
    std::unique_lock<std::mutex> guard(lock);
    while (turn != mine) changed.wait(guard);
    ++shared_value[i % 64];
    turn = 1 - mine;
    changed.notify_one();
  }
}

void contend(int) {
  for (long i = 0; i < kRounds; ++i) {
    const std::lock_guard<std::mutex> guard(lock);
    ++shared_value[0];
  }
}

void measure_mutex(void (*work)(int)) {
  const long long before = now();
  std::thread other(work, 1);
  work(0);
  other.join();
  std::printf("%lld\n", now() - before);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "shared") return measure_shared(), 0;
  if (word == "turns") return measure_mutex(take_turns), 0;
  if (word == "mutex") return measure_mutex(contend), 0;
  for (size_t i = 0; i + 1 < nodes.size(); ++i) nodes[i].next = &nodes[i + 1];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  measure("matrix", matrix);
  measure("histogram", histogram);
  measure("list", list);
  measure("strings", strings);
}
