// Account (160 lines in the paper): a balance is read and written back; what is paid in between is lost.
#include "shared.h"

static Shared<int> balance;
static Way<3> audit;

static void withdraw() {
  const int before = balance.get();
  balance.set(before - 30);
}

static void deposit() {
  audit.walk();
  balance.set(balance.get() + 50);
}

int main() {
  balance.set(100);
  run_beside(withdraw, deposit);
  require(balance.get() == 120, "money was lost");
}
