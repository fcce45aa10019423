// snarl: kind=assert depth=2 policy=random within=300 policy=pct:depth=2 within=1000 point-at=account::store
// A lost update in code without any schedule point: only one at a function that the user names can come between.
#include <cassert>
#include <thread>

namespace {

class account {
 public:
  __attribute__((noinline)) int load() const {
    asm volatile("" ::: "memory");  // not to be computed at compile time
    return value_;
  }
  __attribute__((noinline)) void store(int to) {
    asm volatile("" ::: "memory");
    value_ = to;
  }

 private:
  int value_ = 0;
};

account balance;

void deposit() { balance.store(balance.load() + 1); }

}  // namespace

int main() {
  std::thread a(deposit), b(deposit);
  a.join();
  b.join();
  assert(balance.load() == 2);
}
