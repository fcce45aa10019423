// Containers with hashes: their order is that of the machine.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

static std::mutex guard;
static std::unordered_map<std::string, int> counts;

static void count(const char* prefix) {
  for (int i = 0; i < 40; ++i) {
    const std::lock_guard<std::mutex> hold(guard);
    ++counts[prefix + std::to_string(i % 25)];
  }
}

int main() {
  count("x");
  std::thread a([] {
    const std::lock_guard<std::mutex> hold(guard);
    counts.erase("x3");
  });
  a.join();
  count("y");
  for (const auto& [word, n] : counts) std::printf("%s %d\n", word.c_str(), n);
  std::unordered_set<long> numbers;
  for (long i = 0; i < 100; ++i) numbers.insert(i * 37 % 101);
  for (long n : numbers) std::printf("%ld ", n);
  std::printf("\n%zu %zu\n", counts.bucket_count(), numbers.bucket_count());
}
