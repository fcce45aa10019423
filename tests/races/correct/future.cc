// std::async gives its result.
#include <future>

int value;

int main() {
  auto result = std::async(std::launch::async, [] {
    value = 1;
    return 1;
  });
  const int got = result.get();
  return got == value ? 0 : 2;
}
