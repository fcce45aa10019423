// snarl: kind=assert within=1000
// A member of an object on the heap, changed by two threads.
#include <cassert>
#include <memory>
#include <thread>

struct Account {
  long id = 0;
  long balance = 0;
};

int main() {
  const auto account = std::make_unique<Account>();
  std::thread other([&] { account->balance += 5; });
  account->balance += 7;
  other.join();
  assert(account->balance == 12);
}
