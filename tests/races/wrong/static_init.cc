// A pointer that whoever comes first sets, without a lock.
#include <thread>

int made;
int* instance;

int* get() {
  if (instance == nullptr) instance = &made;
  return instance;
}

int main() {
  std::thread first([] { get(); });
  std::thread second([] { get(); });
  first.join();
  second.join();
  return 0;
}
