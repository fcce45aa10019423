// Like httpd's worker pool: a listener queues requests, workers answer them and append to a buffered log.
// Input: three workers, twelve requests of three kinds. Known bug: two workers append to the log at the same time
// (httpd's log buffer, its bug 25520), so that a line is lost or overwritten.
#include <array>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

constexpr int kWorkers = 3, kRequests = 12;

std::mutex lock, log_lock;
std::condition_variable arrived;
std::array<int, kRequests> queue;
int first = 0, last = 0;  // guarded by the lock
bool closing = false;     // likewise

char log_buffer[256];
int log_length = 0;
enum class State { kIdle, kReading, kWriting };
std::array<State, kWorkers> scoreboard;  // read by whoever likes
int idle_workers = 0;                    // an estimate, which nobody protects
int cached_path = -1;                    // of the last request, with its answer
int cached_answer = 0;
int overloads = 0, deepest = 0;    // kept by whoever sees a long queue
int all_idle = 0, last_idle = -1;  // kept by whoever finds nobody at work
int contended = 0, contender = -1;

void append(const char* line, int length) {
#ifdef PATCHED
  std::lock_guard guard(log_lock);
#endif
  std::memcpy(log_buffer + log_length, line, static_cast<size_t>(length));
  log_length += length;
}

int answer(int path) {
  if (cached_path == path) return cached_answer;
  const int made = path * path + 1;
  cached_answer = made;
  cached_path = path;
  return made;
}

bool take(int& request) {
  std::unique_lock guard(lock);
  while (first == last && !closing) arrived.wait(guard);
  if (first == last) return false;
  request = queue[static_cast<size_t>(first++)];
  return true;
}

void work(size_t me) {
  int mine = 0;
  for (int request = 0;;) {
    ++idle_workers;
    if (idle_workers == kWorkers && mine > 0) {
      ++all_idle;
      last_idle = static_cast<int>(me);
    }
    scoreboard[me] = State::kIdle;
    if (!take(request)) return;
    --idle_workers;
    scoreboard[me] = State::kReading;
    const int made = answer(request % 3);
    scoreboard[me] = State::kWriting;
    if (last - first > 4) {
      ++overloads;
      if (last - first > deepest) deepest = last - first;
    }
    if (scoreboard[(me + 1) % kWorkers] == State::kWriting) {
      ++contended;
      contender = static_cast<int>(me);
    }
    if (++mine > kRequests / 2 && contender != static_cast<int>(me)) contended = 0;
    append(made % 2 == 0 ? "GET ok\n" : "GET no\n", 7);
  }
}

int status() {
  int busy = 0;
  for (State state : scoreboard) busy += state == State::kWriting ? 2 : state == State::kReading ? 1 : 0;
  if (deepest > 6) busy += overloads;
  if (all_idle > 2) busy += last_idle;
  return busy + (idle_workers < 0 ? 0 : idle_workers);
}

}  // namespace

int main() {
  std::array<std::thread, kWorkers> threads;
  for (size_t i = 0; i < kWorkers; ++i) threads[i] = std::thread(work, i);
  int sum = 0;
  for (int i = 0; i < kRequests; ++i) {
    {
      std::lock_guard guard(lock);
      queue[static_cast<size_t>(last++)] = i;
    }
    arrived.notify_one();
    if (i % 4 == 3) sum += status();
  }
  {
    std::lock_guard guard(lock);
    closing = true;
  }
  arrived.notify_all();
  for (std::thread& thread : threads) thread.join();
  assert(log_length == 7 * kRequests && "a line of the log is lost");
  return sum < 0 ? 1 : 0;
}
