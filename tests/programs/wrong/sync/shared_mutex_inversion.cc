// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// A reader of the routes counts under a mutex; who resets the counter holds it and writes the routes.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex routes;
std::mutex counter;
int hops = 3;
int used = 0;

void route() {
  std::shared_lock<std::shared_mutex> reading(routes);
  std::lock_guard<std::mutex> counting(counter);
  used += hops;
}

void reset() {
  std::lock_guard<std::mutex> counting(counter);
  used = 0;
  std::unique_lock<std::shared_mutex> writing(routes);
  hops = 1;
}

int main() {
  std::thread a(route);
  std::thread b(reset);
  a.join();
  b.join();
}
