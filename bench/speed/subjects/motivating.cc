// The motivating example (section 2.2): as transmission, with nearly two million events and no race: all that threads
// share is guarded. The bug needs the verification to end in the short time between the freeing of the torrent and the
// end of the event loop. Input: the session loads its state, then one torrent is verified while the user waits.
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

// In rounds of one lock, which are three events each.
constexpr int kLoading = 600'000, kVerifying = 6'000, kWaiting = 18'000, kClosing = 500;

enum class Event { kNone, kClose, kVerified };

std::mutex lock;
std::condition_variable sent;
std::array<Event, 4> queue;  // all that follows is guarded by the lock
size_t queued = 0;
bool freed = false, over = false;

std::mutex own_locks[3];  // of main, the loop and the verification: an uncontended lock is what they have to do

void work(int who, int rounds) {
  for (int i = 0; i < rounds; ++i) std::lock_guard guard(own_locks[who]);
}

void send(Event event) {
  std::lock_guard guard(lock);
  if (over) return;
  queue[queued++] = event;
  sent.notify_one();
}

// Waits for an event only while there is nothing else to do.
Event receive(bool waits) {
  std::unique_lock guard(lock);
  while (waits && queued == 0) sent.wait(guard);
  return queued == 0 ? Event::kNone : queue[--queued];
}

void session_close() {
  std::lock_guard guard(lock);
  queued = 0;  // what was sent for the torrent is cancelled
  freed = true;
}

void verify_done() {
  std::lock_guard guard(lock);
  assert(!freed && "a torrent is used after it was freed");
}

void event_loop() {
  int closing = -1;
  while (closing != 0) {
    switch (receive(closing < 0)) {
      case Event::kClose:
        session_close();
        closing = kClosing;
        break;
      case Event::kVerified: verify_done(); break;
      case Event::kNone: break;
    }
    work(1, 1);
    if (closing > 0) --closing;
  }
  std::lock_guard guard(lock);
  over = true;
}

void verify() {
  work(2, kVerifying);
  send(Event::kVerified);
}

}  // namespace

int main() {
  std::thread loop(event_loop);
  work(0, kLoading);
  std::thread verifier(verify);
  work(0, kWaiting);
  send(Event::kClose);
  loop.join();
  verifier.join();
}
