// snarl: correct
// A once routine that throws the first time: the exception reaches one caller, and another retries.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
std::mutex mutex;
int attempts = 0;
int caught = 0;
bool connected = false;

void connect() {
  std::lock_guard<std::mutex> lock(mutex);
  if (++attempts == 1) throw std::runtime_error("refused");
  connected = true;
}

void use() {
  for (;;) {
    try {
      std::call_once(flag, connect);
      break;
    } catch (const std::runtime_error&) {
      std::lock_guard<std::mutex> lock(mutex);
      ++caught;
    }
  }
  assert(connected);
}

int main() {
  std::thread a(use);
  std::thread b(use);
  std::thread c(use);
  a.join();
  b.join();
  c.join();
  assert(attempts == 2);
  assert(caught == 1);
}
