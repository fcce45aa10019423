// snarl: correct
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
  other.join();
  account->balance += 7;
  assert(account->balance == 12);
}
