// An exception crosses threads.
#include <exception>
#include <stdexcept>
#include <thread>

std::exception_ptr caught;

int main() {
  std::thread other([] {
    try {
      throw std::runtime_error("no");
    } catch (...) {
      caught = std::current_exception();
    }
  });
  other.join();
  try {
    std::rethrow_exception(caught);
  } catch (const std::runtime_error& error) {
    return error.what()[0] == 'n' ? 0 : 2;
  }
}
