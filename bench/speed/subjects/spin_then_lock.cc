// The schedule of the paper's figure 7: a thread spins on x and then reads it under a lock that the writer takes next.
// The pair of that read and the write is unordered only if the reader takes the lock before the writer does.
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
volatile int x = 1;
int seen = 0, work_done = 0;

void reader() {
  while (x != 0) std::this_thread::yield();
  std::lock_guard guard(lock);
  seen = x;
}

void writer() {
  int sum = 0;
  for (int i = 0; i < 300; ++i) {
    std::this_thread::yield();
    sum += i;
  }
  x = 0;
  for (int i = 0; i < 5; ++i) {
    std::lock_guard guard(lock);
    work_done += sum;
  }
}

}  // namespace

int main() {
  std::thread a(reader), b(writer);
  a.join();
  b.join();
}
