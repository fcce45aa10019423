// snarl: correct point-at=*
// Every function of the program is a point: leaves, calls through pointers, recursion, many arguments, exceptions,
// thread-local destructors. What they compute must not change.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::mutex mutex;
long total;

__attribute__((noinline)) int leaf(int x) { return x; }
__attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, long g, double h, long i) {
  return a + b + c + d + e + f + g + static_cast<long>(h) + i;
}
__attribute__((noinline)) long double wide(long double x, float y) { return x * static_cast<long double>(y); }
__attribute__((noinline)) int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__attribute__((noinline)) void thrower(int n) {
  if (n == 0) throw std::runtime_error("thrown");
  thrower(n - 1);
}

struct Leaver {
  ~Leaver() { --open; }
  explicit Leaver(int& count) : open(++count) {}
  int& open;
};

void work() {
  int (*volatile through)(int) = leaf;
  int open = 0;
  try {
    const Leaver leaver(open);
    thrower(3);
  } catch (const std::exception&) {
  }
  assert(open == 0);
  const std::lock_guard lock(mutex);
  total += many(1, 2, 3, 4, 5, 6, 7, 8.5, 9) + through(5) + factorial(5) + static_cast<long>(wide(2.5L, 4.0f));
}

}  // namespace

int main() {
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  assert(total == 3 * (45 + 5 + 120 + 10));
}
