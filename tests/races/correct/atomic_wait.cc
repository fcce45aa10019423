// std::atomic::wait.
#include <atomic>
#include <thread>

std::atomic<int> state;
int value;

int main() {
  std::thread other([] {
    value = 1;
    state.store(1);
    state.notify_one();
  });
  state.wait(0);
  value = value + 1;
  other.join();
  return 0;
}
