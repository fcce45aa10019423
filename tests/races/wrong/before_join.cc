// Main reads before it joins.
#include <thread>

int result;

int main() {
  std::thread worker([] { result = 5; });
  const int seen = result;
  worker.join();
  return seen == 5 || seen == 0 ? 0 : 2;
}
