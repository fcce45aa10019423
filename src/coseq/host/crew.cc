#include "coseq/host/crew.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <new>
#include <vector>

namespace snarl::coseq {
namespace {

constexpr uint64_t kPiece = 1 << 13;  // schedules; a multiple of each group's size
constexpr long kFirstNap = 1'000'000, kLongestNap = 50'000'000;

// Ends a worker, whatever it would do at an exit.
[[noreturn]] void leave(int code) { _exit(code); }

}  // namespace

struct Crew::Shared {
  std::atomic<uint64_t> next{0}, end{0};  // of the range, what nobody has taken
  std::atomic<uint64_t> run{0};           // schedules
  std::atomic<bool> stop{false};
  std::atomic<bool> broken_off{false};  // some piece was not run to its end, though nothing failed in it
  Tally tally[1];                       // one for each worker
};

void Crew::work(Shared& shared, int which, bool until_failure) {
  lane_.adopt();
  Tally& tally = shared.tally[which];
  for (;;) {
    const uint64_t begin = shared.next.fetch_add(kPiece), end = std::min(begin + kPiece, shared.end.load());
    if (begin >= end) return;
    uint64_t told = 0;
    const auto stop = [&] {
      shared.run += tally.schedules - told;
      told = tally.schedules;
      return shared.stop.load();
    };
    told = tally.schedules;
    const uint32_t kinds = tally.kinds;
    const uint64_t came = runner_.run(begin, end, until_failure, stop, tally);
    shared.run += tally.schedules - told;
    const bool failed = tally.limit != 0 || (until_failure && tally.kinds != kinds);
    if (came < end && !failed) shared.broken_off = true;
    if (failed) shared.end = std::min(shared.end.load(), begin);  // what others have taken below goes on
    if (shared.stop) return;
  }
}

Crew::Done Crew::run(uint64_t begin, uint64_t end, bool until_failure, const std::function<bool(uint64_t)>& watch,
                     Tally& tally) {
  const size_t size = sizeof(Shared) + static_cast<size_t>(workers_) * sizeof(Tally);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {.crashed = true};
  Shared& shared = *new (memory) Shared;
  for (int i = 1; i < workers_; ++i) new (&shared.tally[i]) Tally;
  shared.next = begin;
  shared.end = end;
  std::vector<pid_t> children;
  for (int i = 0; i < workers_; ++i) {
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) leave(125);
      work(shared, i, until_failure);
      leave(0);
    }
    if (child > 0) children.push_back(child);
  }
  Done done;
  done.crashed = children.empty();
  timespec nap{0, kFirstNap};
  while (!children.empty()) {
    for (size_t i = 0; i < children.size();) {
      int status = 0;
      if (waitpid(children[i], &status, WNOHANG) == 0) {
        ++i;
        continue;
      }
      done.crashed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
      children.erase(children.begin() + static_cast<long>(i));
    }
    if (children.empty()) break;
    if (!watch(shared.run)) shared.stop = true;
    nanosleep(&nap, nullptr);
    nap.tv_nsec = std::min(nap.tv_nsec * 2, kLongestNap);
  }
  done.complete = !shared.broken_off && shared.next >= shared.end && !shared.stop;
  for (int i = 0; i < workers_; ++i) tally.merge(shared.tally[i]);
  munmap(memory, size);
  return done;
}

}  // namespace snarl::coseq
