// The process is killed after the race.
#include <signal.h>

#include <thread>

int counter;

int main() {
  std::thread first([] { counter = counter + 1; });
  std::thread second([] { counter = counter + 1; });
  first.join();
  second.join();
  raise(SIGKILL);
  return 0;
}
