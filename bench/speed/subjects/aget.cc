// Like aget: threads download ranges of one file; a save, as on Ctrl-C, writes down how far each has come.
// Input: three ranges of eight blocks, a save at half of the file. Known bug: the save sees a range's block without its
// bytes, so that a download which is continued by it would leave a hole.
#include <array>
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

constexpr int kRanges = 3, kBlocks = 8, kBlock = 16;

struct Range {
  int begin = 0;
  int offset = 0;
  bool done = false;
};

std::array<Range, kRanges> ranges;
std::mutex lock;
int bytes_written = 0;
int stalls = 0, fastest = -1;
volatile int shown = 0;  // what the progress bar says, which nobody protects
char remote[kRanges * kBlocks * kBlock], local[sizeof remote];

void fetch(Range& range) {
  std::memcpy(local + range.begin + range.offset, remote + range.begin + range.offset, kBlock);
}

void advance(Range& range) {
#ifdef PATCHED
  std::lock_guard guard(lock);
  range.offset += kBlock;
  bytes_written += kBlock;
#else
  range.offset += kBlock;
  std::lock_guard guard(lock);
  bytes_written += kBlock;
#endif
}

void download(Range& range) {
  for (int i = 0; i < kBlocks; ++i) {
    fetch(range);
    advance(range);
    shown = shown + kBlock;
    if (range.offset * kRanges > shown * 2 && i > 2) fastest = range.begin;
    if (shown > 2 * kRanges * range.offset) ++stalls;
  }
  range.done = true;
}

void save() {
  std::lock_guard guard(lock);
  int sum = 0;
  for (const Range& range : ranges) sum += range.offset;
  assert(sum == bytes_written && "the saved ranges are not what was written");
}

}  // namespace

int main() {
  std::memset(remote, 'x', sizeof remote);
  std::array<std::thread, kRanges> threads;
  for (int i = 0; i < kRanges; ++i) {
    ranges[static_cast<size_t>(i)].begin = i * kBlocks * kBlock;
    threads[static_cast<size_t>(i)] = std::thread(download, std::ref(ranges[static_cast<size_t>(i)]));
  }
  for (int i = 0; i < 200 && shown < static_cast<int>(sizeof remote) / 2; ++i) std::this_thread::yield();
  const int slow = stalls > 1 ? fastest : -1;
  save();
  for (std::thread& thread : threads) thread.join();
  if (slow > static_cast<int>(sizeof remote)) return 1;
  assert(std::memcmp(local, remote, sizeof remote) == 0);
}
