// A third thread hands on under another lock what it has seen under the first one.
#include <mutex>
#include <thread>

std::mutex front, back;
int value;
bool done, passed_on;

int main() {
  std::thread first([] {
    value = 1;
    std::lock_guard guard(front);
    done = true;
  });
  std::thread second([] {
    bool seen;
    {
      std::lock_guard guard(front);
      seen = done;
    }
    std::lock_guard guard(back);
    passed_on = seen;
  });
  std::thread third([] {
    bool may_write;
    {
      std::lock_guard guard(back);
      may_write = passed_on;
    }
    if (may_write) value = 2;
  });
  first.join();
  second.join();
  third.join();
  return 0;
}
