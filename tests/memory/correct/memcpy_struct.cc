// snarl: correct
// Structs and texts are copied, moved, filled, compared and measured under a lock; libc's functions do what they
// should.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

struct Account {
  long balance, deposits;
  char owner[16];
};

static std::mutex mutex;
static Account account;
static char names[2][16];

static void deposit(int who) {
  const std::lock_guard lock(mutex);
  Account mine;
  memcpy(&mine, &account, sizeof mine);
  mine.balance += 10;
  ++mine.deposits;
  strcpy(mine.owner, who == 0 ? "first" : "second");
  memmove(&account, &mine, sizeof mine);
  strncpy(names[who], account.owner, sizeof names[who]);
  assert(strcmp(names[who], mine.owner) == 0 && memcmp(&mine, &account, sizeof mine) == 0);
  assert(strlen(names[who]) == (who == 0 ? 5u : 6u));
  assert(memset(mine.owner, 'x', 8) == mine.owner && mine.owner[7] == 'x');
  assert(strcmp("ab", "abc") < 0 && strcmp("b", "abc") > 0);
}

int main() {
  std::thread a(deposit, 0), b(deposit, 1);
  a.join();
  b.join();
  assert(account.deposits == 2 && account.balance == 20);
}
