// Four kernels, for what a hook at each memory access costs: matrix, histogram, list, strings. Prints a line for each:
// name, CPU nanoseconds (the best of several), plain accesses that its inner loop makes. With the word `shared`: two
// threads that access the same memory, for what a point costs; prints nanoseconds per point.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "machine_clock.h"

constexpr int kSize = 128, kTimes = 7;

// For all that the compiler knows, others write and read them: nothing of the product can be left out.
extern double a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];
double a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];

namespace {

unsigned char bytes[1 << 18];
unsigned counts[256];
struct Node {
  Node* next;
  long value;
};
std::vector<Node> nodes(10'000);
volatile long sink;

long matrix() {
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  sink = static_cast<long>(c[3][5]);
  return 2L * kSize * kSize * kSize;
}

long histogram() {
  for (const unsigned char byte : bytes) ++counts[byte];
  return 3L << 18;
}

long list() {
  long sum = 0;
  for (int round = 0; round < 50; ++round)
    for (const Node* node = nodes.data(); node != nullptr; node = node->next) sum += node->value;
  sink = sum;
  return 2L * 50 * 10'000;
}

long strings() {
  long size = 0;
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i % 26);
    size += static_cast<long>(text.size());
  }
  sink = size;
  return 100L * 2000 * 4;
}

void measure(const char* name, long (*kernel)()) {
  long long best = 1LL << 60;
  long accesses = 0;
  for (int i = 0; i < kTimes; ++i) {
    const long long before = cpu_now();
    accesses = kernel();
    const long long spent = cpu_now() - before;
    if (spent < best) best = spent;
  }
  std::printf("%s %lld %ld\n", name, best, accesses);
}

int shared_value[64];
constexpr long kRounds = 400'000;

void touch() {
  for (long i = 0; i < kRounds; ++i) shared_value[i % 64] += static_cast<int>(i);
}

void measure_shared() {
  const long long before = now();
  std::thread other(touch);
  touch();
  other.join();
  std::printf("%.2f\n", static_cast<double>(now() - before) / (4.0 * kRounds));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "shared") == 0) {
    measure_shared();
    return 0;
  }
  for (size_t i = 0; i + 1 < nodes.size(); ++i) nodes[i].next = &nodes[i + 1];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  measure("matrix", matrix);
  measure("histogram", histogram);
  measure("list", list);
  measure("strings", strings);
}
