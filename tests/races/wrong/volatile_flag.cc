// volatile is no synchronisation.
#include <thread>

volatile int stop;

int main() {
  std::thread first([] { stop = 1; });
  std::thread second([] { (void)stop; });
  first.join();
  second.join();
  return 0;
}
