// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The logger is made on first use and reads the configuration; whoever changes the configuration logs
// that with its lock held. If that is the first use, the lock is not asked for again.
#include <mutex>
#include <thread>

std::once_flag made;
std::mutex configuration;
int level = 1;
int logger_level = 0;

void read_level() {
  std::lock_guard<std::mutex> lock(configuration);
  logger_level = level;
}

void change() {
  std::lock_guard<std::mutex> lock(configuration);
  level = 2;
  std::call_once(made, [] { logger_level = level; });
}

int main() {
  std::thread a([] { std::call_once(made, read_level); });
  std::thread b(change);
  a.join();
  b.join();
}
