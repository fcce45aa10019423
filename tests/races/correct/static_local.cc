// A local static is made once.
#include <thread>

struct Made {
  Made() : value(7) {}
  int value;
};
int get() {
  static Made made;
  return made.value;
}

int main() {
  std::thread first([] { (void)get(); });
  std::thread second([] { (void)get(); });
  first.join();
  second.join();
  return 0;
}
