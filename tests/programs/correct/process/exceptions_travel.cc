// snarl: correct
// Exceptions thrown, kept and thrown again by others, with switches inside the handlers: each thread has its own.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
std::exception_ptr kept[2];

void step() { const std::scoped_lock lock(mutex); }

void fail(int me) {
  struct Steps {
    ~Steps() { step(); }  // while the exception is under way
  } steps;
  throw std::runtime_error(std::to_string(me));
}

void work(int me) {
  try {
    fail(me);
  } catch (const std::runtime_error& error) {
    step();
    assert(std::string(error.what()) == std::to_string(me) && std::uncaught_exceptions() == 0);
    kept[me] = std::current_exception();
    try {
      step();
      throw;
    } catch (const std::exception& again) {
      step();
      assert(&again == &error);
    }
  }
  assert(!std::current_exception());
}

}  // namespace

int main() {
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  for (int i = 0; i < 2; ++i) {
    try {
      std::rethrow_exception(kept[i]);
    } catch (const std::runtime_error& error) {
      assert(std::string(error.what()) == std::to_string(i));
    }
  }
}
