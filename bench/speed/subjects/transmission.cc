// Like the transmission client: an event loop that runs what other threads send to it, and a thread that verifies.
// Input: one torrent of twelve pieces, a user who quits after sixty ticks. Known bug: the three-event use after free of
// the paper's figure 2. Closing cancels what was sent for the torrent and frees it; what the verifying thread sends
// after that, and before the loop ends, uses it.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kPieces = 12, kTicks = 60, kClosing = 16;

struct Torrent {
  bool freed = false;
  int verified = 0;
  int rate = 0;
};

enum class Event { kClose, kVerified };

Torrent torrent;
std::mutex lock;
std::array<Event, 4> queue;
int queued = 0;              // guarded by the lock
volatile bool over = false;  // the loop has ended
volatile bool stop_verifying = false;
int speed = 0, peers = 0, shown_progress = 0;  // of the session, for the user's eyes
int bursts = 0, stalls = 0, slowest = 0;

void send(Event event) {
  std::lock_guard guard(lock);
  queue[static_cast<size_t>(queued++)] = event;
}

bool receive(Event& event) {
  std::lock_guard guard(lock);
  if (queued == 0) return false;
  event = queue[0];
  for (int i = 1; i < queued; ++i) queue[static_cast<size_t>(i) - 1] = queue[static_cast<size_t>(i)];
  --queued;
  return true;
}

void verify_done() {
  assert(!torrent.freed && "a torrent is used after it was freed");
  torrent.rate = torrent.verified;
}

void session_close() {
  std::lock_guard guard(lock);
  queued = 0;
  torrent.freed = true;
}

void tick() {
  ++speed;
  if (speed % 8 == 0) ++peers;
  if (torrent.verified > 0 && torrent.verified < kPieces && speed > 4 * torrent.verified) {
    ++stalls;
    if (speed > slowest) slowest = speed;
  }
  if (torrent.verified > speed) ++bursts;
}

void event_loop() {
  for (int closing = -1; closing != 0;) {
    Event event;
    const bool any = receive(event);
    if (any && event == Event::kVerified) verify_done();
    if (any && event == Event::kClose) session_close(), closing = kClosing;
    tick();
    if (closing > 0) --closing;
    if (closing < 0) std::this_thread::yield();
  }
  over = true;
}

void verify() {
  for (int i = 0; i < kPieces; ++i) {
    ++torrent.verified;
    if (speed > 40 && torrent.verified < kPieces / 2) stalls = 0;
    if (bursts > 3) slowest = 0;
    shown_progress = torrent.verified * 100 / kPieces;
    std::this_thread::yield();
  }
#ifdef PATCHED
  if (stop_verifying) return;
#endif
  if (!over) send(Event::kVerified);
}

}  // namespace

int main() {
  std::thread loop(event_loop), verifier(verify);
  int sum = 0;
  for (int i = 0; i < kTicks; ++i) {
    sum += shown_progress > 50 ? speed : peers;
    if (i > kTicks / 2 && shown_progress == 0) sum += stalls;
    if (i < 4 && shown_progress == 100) sum += bursts + slowest;
    std::this_thread::yield();
  }
#ifdef PATCHED
  stop_verifying = true;
  verifier.join();
#endif
  send(Event::kClose);
  loop.join();
#ifndef PATCHED
  verifier.join();
#endif
  return sum < 0 ? 1 : 0;
}
