// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=13<18,18<14 measured=2 pattern=published_early
// The count of messages is raised before the message is in its slot: a reader in between takes an empty one. What it
// took is looked at when both have ended.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count = 0;
std::atomic<int> slot = 0;
std::atomic<int> taken = 42;

void write_message() {
  count.exchange(1);
  slot.exchange(42);
}

void read_message() {
  if (count.fetch_add(0) != 0) taken.exchange(slot.fetch_add(0));
}

int main() {
  std::thread writer(write_message);
  std::thread reader(read_message);
  writer.join();
  reader.join();
  assert(taken == 42);
}
