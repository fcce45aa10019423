// The promise is kept before the data is there.
#include <future>
#include <thread>

int data;

int main() {
  std::promise<void> promise;
  std::thread worker([&] {
    promise.set_value();
    data = 1;
  });
  promise.get_future().wait();
  data = 2;
  worker.join();
  return 0;
}
