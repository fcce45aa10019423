// Like the cherokee web server: workers serve connections until they are told to exit.
// Input: two workers, ten requests each of which a third is refused, then a graceful exit. Known bug: the exit race of
// the paper's last figure. The server reclaims a worker when it says that it has ended; the worker then still uses it.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kWorkers = 2, kRequests = 10;

struct Worker {
  volatile bool exit = false;
  volatile bool ended = false;
  bool reclaimed = false;
  int served = 0;
  int refused = 0;
};

std::array<Worker, kWorkers> workers;
std::mutex lock;
int waiting = 0;       // connections; guarded by the lock
int now = 0;           // the cached time, which every worker may renew
int in_header = 0;     // what the cached header was made of
int largest_wait = 0;  // a statistic, written if it grows
int idle_rounds = 0, naps = 0, bursts = 0, last_burst = -1;

int take_connection() {
  std::lock_guard guard(lock);
  if (waiting == 0) return 0;
  return waiting--;
}

void renew_time() {
  if (++now % 4 == 0) in_header = now;
}

void serve(Worker& worker, int connection) {
  renew_time();
  if (connection % 3 == 0)
    ++worker.refused;
  else
    ++worker.served;
  if (connection > largest_wait) largest_wait = connection;
}

void work(Worker& worker) {
  while (!worker.exit) {
    const int connection = take_connection();
    if (connection != 0) {
      if (connection > 4) {
        ++bursts;
        last_burst = connection;
      }
      if (idle_rounds > 6) naps = 0;
      serve(worker, connection);
      continue;
    }
    if (++idle_rounds > 12 && worker.served == 0) ++naps;
    if (bursts > 2 && last_burst < 7) idle_rounds = 0;
    std::this_thread::yield();
  }
  worker.ended = true;
  assert(!worker.reclaimed && "a worker uses itself after the server has reclaimed it");
}

void reclaim(Worker& worker) { worker.reclaimed = true; }

int busiest() { return workers[0].served < workers[1].served ? 1 : 0; }

}  // namespace

int main() {
  std::array<std::thread, kWorkers> threads;
  for (size_t i = 0; i < kWorkers; ++i) threads[i] = std::thread(work, std::ref(workers[i]));
  for (int i = 0; i < kRequests; ++i) {
    std::lock_guard guard(lock);
    ++waiting;
  }
  for (int left = 1, rounds = 0; left != 0 && rounds < 2000; ++rounds) {
    {
      std::lock_guard guard(lock);
      left = waiting;
    }
    std::this_thread::yield();
  }
  int more = busiest() + in_header;
  if (naps > 3) more += idle_rounds;
  if (bursts > 4) more += last_burst;
  for (Worker& worker : workers) worker.exit = true;
#ifdef PATCHED
  for (std::thread& thread : threads) thread.join();
#else
  for (Worker& worker : workers)
    while (!worker.ended) std::this_thread::yield();
#endif
  for (Worker& worker : workers) reclaim(worker);
#ifndef PATCHED
  for (std::thread& thread : threads) thread.join();
#endif
  return more < 0 ? 1 : 0;
}
