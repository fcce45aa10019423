// A matrix product; each thread takes the next row.
#include <mutex>

#include "kernel.h"

namespace {

constexpr int kSize = 640;
std::mutex mutex;
int next_row;
std::vector<double> a(kSize*kSize, 1.5), b(kSize*kSize, 2), c(kSize*kSize);

int take_row() {
  std::lock_guard lock(mutex);
  return next_row < kSize ? next_row++ : -1;
}

void multiply(int row) {
  double* out = &c[static_cast<size_t>(row) * kSize];
  for (int k = 0; k < kSize; ++k) {
    const double factor = a[static_cast<size_t>(row) * kSize + static_cast<size_t>(k)];
    const double* in = &b[static_cast<size_t>(k) * kSize];
    for (int j = 0; j < kSize; ++j) out[j] += factor * in[j];
  }
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    next_row = 0;
    run_threads([](int) {
      for (int row; (row = take_row()) >= 0;) multiply(row);
    });
  }
  return check(static_cast<uint64_t>(c[12345]), static_cast<uint64_t>(3 * 1.5 * 2 * kSize));
}
