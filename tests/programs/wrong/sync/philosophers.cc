// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel pattern=lock_cycle
// Three dining philosophers who all take the left fork first.
#include <mutex>
#include <thread>
#include <vector>

constexpr int kSeats = 3;
std::mutex forks[kSeats];
int meals[kSeats];

void dine(int seat) {
  std::lock_guard<std::mutex> left(forks[seat]);
  std::lock_guard<std::mutex> right(forks[(seat + 1) % kSeats]);
  ++meals[seat];
}

int main() {
  std::vector<std::thread> table;
  for (int seat = 0; seat < kSeats; ++seat) table.emplace_back(dine, seat);
  for (std::thread& philosopher : table) philosopher.join();
  return meals[0] + meals[1] + meals[2] == kSeats ? 0 : 1;
}
