// sizes: 20 100
// Double-checked creation of one table per pair of threads. Only the last table is published before it is filled.
#include <mutex>

#include "hunt.h"

constexpr int kTables = (THREADS + 1) / 2;
struct Table {
  int size = 0;
};
static Table storage[kTables];
static Table* volatile tables[kTables];
static std::mutex mutex;

static Table* make(int n) {
  if (n == kTables - 1) tables[n] = &storage[n];
  storage[n].size = 8;
  return &storage[n];
}

static Table* table(int n) {
  if (tables[n] == nullptr) {
    std::lock_guard lock(mutex);
    if (tables[n] == nullptr) tables[n] = make(n);
  }
  return tables[n];
}

int main() {
  crowd(THREADS, [](int i) { EXPECT(table((i + THREADS % 2) / 2)->size == 8); });
}
