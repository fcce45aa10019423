// snarl: kind=use_after_free depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=use_after_free
// The session is deleted between the look-up and the first use of its lock: nobody has locked it before. Without
// snarl's knowledge of free, what malloc leaves in the block looks like a lock that somebody holds.
#include <mutex>
#include <thread>

struct Session {
  std::mutex lock;
  int hits = 0;
};

int main() {
  std::mutex table;
  auto* session = new Session;
  std::thread user([&] {
    table.lock();
    Session* mine = session;
    table.unlock();
    if (mine == nullptr) return;
    mine->lock.lock();
    mine->hits++;
    mine->lock.unlock();
  });
  std::thread closer([&] {
    table.lock();
    delete session;
    session = nullptr;
    table.unlock();
  });
  user.join();
  closer.join();
}
