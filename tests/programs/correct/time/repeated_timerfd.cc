// snarl: correct
// A timer that repeats, and an event loop that handles it, keep no third thread from what ends the loop.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <thread>

static int loop, timer, stop;
static std::mutex mutex;
static int ticks;

static void watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
}

static void run() {
  for (;;) {
    epoll_event event;
    uint64_t value = 0;
    if (epoll_wait(loop, &event, 1, -1) != 1 || read(event.data.fd, &value, sizeof value) != sizeof value) continue;
    if (event.data.fd == stop) return;
    std::lock_guard<std::mutex> lock(mutex);
    ++ticks;
  }
}

int main() {
  loop = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0), stop = eventfd(0, 0);
  const itimerspec every{{0, 1'000'000}, {0, 1'000'000}};
  timerfd_settime(timer, 0, &every, nullptr);
  watch(timer);
  watch(stop);
  std::thread runner(run);
  std::thread worker([] {
    for (int i = 0; i < 3; ++i) std::lock_guard<std::mutex> lock(mutex);
    const uint64_t one = 1;
    if (write(stop, &one, sizeof one) != sizeof one) _exit(2);
  });
  worker.join();
  runner.join();
}
