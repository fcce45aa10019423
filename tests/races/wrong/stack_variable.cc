// A thread uses what lies on the stack of another.
#include <thread>

int main() {
  int local = 0;
  std::thread worker([&local] { local = 1; });
  local = 2;
  worker.join();
  return local == 0 ? 2 : 0;
}
