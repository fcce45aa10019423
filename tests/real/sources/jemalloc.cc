#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>
extern "C" int mallctl(const char*, void*, size_t*, void*, size_t);
static std::atomic<long> sum{0};
static std::atomic<std::string*> handed{nullptr};
static void work(int n) {
  for (int i = 0; i < 30; ++i) {
    auto made = std::make_unique<std::string>(static_cast<size_t>(i * 37 % 500 + 1), static_cast<char>('a' + n));
    std::unique_ptr<std::string> others(handed.exchange(made.release()));  // freed by another than made it
    if (others) sum += static_cast<long>(others->size());
  }
}
int main() {
  const char* version = nullptr;
  size_t size = sizeof version;
  if (mallctl("version", &version, &size, nullptr, 0) != 0) return 2;
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; ++n) threads.emplace_back(work, n);
  for (std::thread& thread : threads) thread.join();
  std::unique_ptr<std::string> last(handed.exchange(nullptr));
  long expected = 0;
  for (int i = 0; i < 30; ++i) expected += 3 * (i * 37 % 500 + 1);
  return sum + static_cast<long>(last->size()) != expected;
}
