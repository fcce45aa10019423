// Programs without races, for what looking for them costs. The word says which: matrix, histogram, list, strings,
// pipeline and mutexes take a second or so with a race detector; small and shared are for exploring.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;

void run_threads(const std::function<void(int)>& body, int count = kThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

int matrix() {
  constexpr int kSize = 300;
  std::vector<double> a(kSize * kSize, 1), b(kSize * kSize, 2), c(kSize * kSize);
  run_threads([&](int me) {
    for (int row = me; row < kSize; row += kThreads)
      for (int column = 0; column < kSize; ++column) {
        double sum = 0;
        for (int i = 0; i < kSize; ++i) sum += a[row * kSize + i] * b[i * kSize + column];
        c[row * kSize + column] = sum;
      }
  });
  return c[kSize] == 2 * kSize ? 0 : 1;
}

int histogram() {
  constexpr int kValues = 1'500'000, kBins = 256;
  std::vector<std::vector<uint64_t>> bins(kThreads, std::vector<uint64_t>(kBins));
  run_threads([&](int me) {
    uint64_t value = static_cast<uint64_t>(me) + 1;
    for (int i = 0; i < kValues; ++i) {
      value = value * 6364136223846793005u + 1442695040888963407u;
      ++bins[me][value >> 56];
    }
  });
  uint64_t total = 0;
  for (const auto& mine : bins)
    for (const uint64_t count : mine) total += count;
  return total == uint64_t{kThreads} * kValues ? 0 : 1;
}

int list() {
  std::vector<std::list<int>> lists(kThreads);
  run_threads([&](int me) {
    for (int i = 0; i < 30'000; ++i) lists[me].push_back(i);
    for (int times = 0; times < 40; ++times)
      for (int& item : lists[me]) item += times;
  });
  return lists[0].front() == 780 ? 0 : 1;
}

int strings() {
  std::vector<std::map<std::string, int>> words(kThreads);
  run_threads([&](int me) {
    for (int i = 0; i < 60'000; ++i) ++words[me]["word " + std::to_string(i % 500)];
  });
  return words[0].size() == 500 ? 0 : 1;
}

// Blocks of work pass through stages.
int pipeline() {
  constexpr int kBlocks = 400, kBlock = 4096;
  struct Stage {
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::vector<int>> blocks;

    void push(std::vector<int> block) {
      const std::lock_guard hold(mutex);
      blocks.push(std::move(block));
      changed.notify_one();
    }
    std::vector<int> pop() {
      std::unique_lock hold(mutex);
      changed.wait(hold, [&] { return !blocks.empty(); });
      std::vector<int> block = std::move(blocks.front());
      blocks.pop();
      return block;
    }
  };
  Stage stages[3];
  int64_t sum = 0;
  run_threads(
      [&](int me) {
        for (int i = 0; i < kBlocks; ++i) {
          std::vector<int> block = me == 0 ? std::vector<int>(kBlock, i) : stages[me - 1].pop();
          for (int& item : block) item += me;
          if (me == 2)
            for (const int item : block) sum += item;
          else
            stages[me].push(std::move(block));
        }
      },
      3);
  return sum == int64_t{kBlock} * (kBlocks * (kBlocks - 1) / 2 + 3 * kBlocks) ? 0 : 1;
}

int mutexes() {
  constexpr int kTimes = 300'000;
  std::mutex mutex;
  int64_t total = 0;
  run_threads([&](int) {
    for (int i = 0; i < kTimes; ++i) {
      const std::lock_guard hold(mutex);
      ++total;
    }
  });
  return total == int64_t{kThreads} * kTimes ? 0 : 1;
}

int small() {
  std::mutex mutex;
  int total = 0;
  run_threads(
      [&](int) {
        for (int i = 0; i < 2; ++i) {
          const std::lock_guard hold(mutex);
          ++total;
        }
      },
      2);
  return total == 4 ? 0 : 1;
}

// More accesses than calls.
int shared() {
  std::mutex mutex;
  std::vector<int> items(32);
  run_threads(
      [&](int me) {
        for (int i = 0; i < 8; ++i) {
          const std::lock_guard hold(mutex);
          for (int& item : items) item += me;
        }
      },
      3);
  return items[0] == 24 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr struct {
    const char* name;
    int (*run)();
  } kPrograms[] = {{"matrix", matrix},     {"histogram", histogram}, {"list", list},   {"strings", strings},
                   {"pipeline", pipeline}, {"mutexes", mutexes},     {"small", small}, {"shared", shared}};
  for (const auto& program : kPrograms)
    if (argc > 1 && std::strcmp(argv[1], program.name) == 0) return program.run();
  return 2;
}
