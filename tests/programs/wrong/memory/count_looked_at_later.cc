// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=11<12,11<12 measured=2 pattern=atomicity_violation
// A reference count is lowered, and looked at in a second operation: both of the last two see zero.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> references = 2;
std::atomic<int> released = 0;

void drop() {
  references.fetch_sub(1);
  if (references.fetch_add(0) == 0) assert(released.exchange(1) == 0);
}

int main() {
  std::thread other(drop);
  drop();
  other.join();
}
