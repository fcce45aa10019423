// snarl: correct
// std::shared_mutex, shared_timed_mutex and the timed mutexes; those that nobody else wants are had at
// once, with a time-out or without.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::shared_mutex table;
std::shared_timed_mutex timed;
std::timed_mutex held;
int rows = 0, columns = 0;

void try_my_own() {
  std::timed_mutex mine;
  std::recursive_timed_mutex again;
  std::shared_timed_mutex shared;
  assert(mine.try_lock_for(1h));
  mine.unlock();
  assert(again.try_lock_for(1h) && again.try_lock_until(std::chrono::steady_clock::now()));
  again.unlock();
  again.unlock();
  assert(shared.try_lock_shared_for(1h) && shared.try_lock_shared());
  shared.unlock_shared();
  shared.unlock_shared();
  assert(shared.try_lock_for(1h));
  shared.unlock();
}

void change() {
  try_my_own();
  {
    std::unique_lock<std::shared_mutex> lock(table);
    ++rows;
    try_my_own();
    ++columns;
  }
  std::unique_lock<std::shared_timed_mutex> lock(timed, 24h);
  if (lock.owns_lock()) ++rows, ++columns;
}

void look() {
  {
    std::shared_lock<std::shared_mutex> lock(table);
    std::shared_lock<std::shared_mutex> twice(table);
    assert(rows == columns);
    assert(!table.try_lock());
  }
  const auto begin = std::chrono::steady_clock::now();
  assert(!held.try_lock_for(3h));
  assert(std::chrono::steady_clock::now() - begin >= 3h);
  std::shared_lock<std::shared_timed_mutex> lock(timed, 1h);
  assert(!lock.owns_lock() || !timed.try_lock());
}

int main() {
  std::lock_guard<std::timed_mutex> lock(held);
  std::thread a(change);
  std::thread b(look);
  look();
  a.join();
  b.join();
  assert(rows == columns && rows >= 1);
}
