// snarl: kind=assert within=500
// A struct is copied out, changed and copied back: whoever comes between the two copies is forgotten.
#include <cassert>
#include <cstring>
#include <thread>

struct Account {
  long balance, deposits;
  char owner[16];
};

static Account account;

static void deposit() {
  Account mine;
  memcpy(&mine, &account, sizeof mine);
  mine.balance += 10;
  ++mine.deposits;
  memcpy(&account, &mine, sizeof mine);
}

int main() {
  std::thread a(deposit), b(deposit);
  a.join();
  b.join();
  assert(account.deposits == 2 && account.balance == 20);
}
