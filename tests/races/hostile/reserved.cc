// Ten gigabytes are reserved, and one page in a hundred is written by both threads, under a lock; then they race.
#include <sys/mman.h>

#include <mutex>
#include <thread>

constexpr long kSize = 10L << 30, kPage = 4096, kStride = 100 * kPage;
std::mutex lock;
char* area;
int done;

void touch() {
  {
    std::lock_guard guard(lock);
    for (long at = 0; at < kSize; at += kStride) area[at] = 1;
  }
  done = done + 1;
}

int main() {
  void* got = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return 2;
  area = static_cast<char*>(got);
  std::thread first(touch);
  std::thread second(touch);
  first.join();
  second.join();
  return 0;
}
