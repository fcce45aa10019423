// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// Which thread updates without the lock is drawn at random, in three ways; replays must draw the same.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <random>
#include <thread>

static std::mutex mutex;
static int counter;

static void add(bool locked) {
  std::unique_lock<std::mutex> guard(mutex, std::defer_lock);
  if (locked) guard.lock();
  const int old = counter;
  std::this_thread::yield();
  counter = old + 1;
}

static unsigned from_system() {
  unsigned a = 0, b = 0;
  const int fd = open("/dev/urandom", O_RDONLY);
  assert(fd >= 0 && read(fd, &a, sizeof a) == sizeof a);
  close(fd);
  assert(getrandom(&b, sizeof b, 0) == sizeof b);
  return a ^ b;
}

int main() {
  std::random_device device;
  const unsigned careless = (device() ^ from_system()) % 4;
  std::thread threads[4];
  for (unsigned i = 0; i < 4; ++i) threads[i] = std::thread(add, i != careless);
  for (std::thread& thread : threads) thread.join();
  assert(counter == 4);
}
