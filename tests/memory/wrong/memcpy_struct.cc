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

// A compiler that knows the size may copy by itself, with hooks.
static void deposit(size_t bytes) {
  Account mine;
  memcpy(&mine, &account, bytes);
  mine.balance += 10;
  ++mine.deposits;
  memcpy(&account, &mine, bytes);
}

int main() {
  std::thread a(deposit, sizeof account), b(deposit, sizeof account);
  a.join();
  b.join();
  assert(account.deposits == 2 && account.balance == 20);
}
