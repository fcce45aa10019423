#include "explore/execute/fiber_watch.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "os/fd.h"

namespace snarl::explore {
namespace {

constexpr uint64_t kLastSlice = 10'000'000;  // ns; a thread that spins is stopped more often each time, down to this

// 'S' after the name, which stands in parentheses and may hold anything.
bool is_asleep(pid_t pid) {
  const os::Fd file(open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char text[128];
  const ssize_t size = file ? read(file.get(), text, sizeof text) : 0;
  for (ssize_t i = size - 1; i > 0; --i)
    if (text[i - 1] == ')' && i + 1 < size) return text[i + 1] == 'S';
  return false;
}

// The kernel's clock of another process's CPU time (the encoding behind clock_getcpuclockid).
uint64_t cpu_time_of(pid_t pid) {
  timespec time{};
  const auto id = static_cast<clockid_t>((~static_cast<unsigned>(pid) << 3) | 2u);
  if (clock_gettime(id, &time) != 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

Sight see_process(pid_t pid, const wire::Layout& layout, uint64_t written) {
  const wire::OnFibers& run = layout.state.on_fibers;
  const bool waits = run.waits != 0 || layout.state.scanning.load(std::memory_order_acquire) != 0;
  return {run.arrivals, run.live, waits, is_asleep(pid), cpu_time_of(pid), written};
}

void FiberWatch::begin(const Patience& patience, double now) {
  *this = FiberWatch();
  patience_ = patience;
  slice_ = first_stop(patience);
  next_look_ = now + kInterval;
}

FiberWatch::Verdict FiberWatch::judge(double now, const Sight& sight) {
  next_look_ = now + kCloseInterval;
  if (!suspects_) {
    suspects_ = true;
    sleeping_looks_ = 0;
    cpu_at_first_look_ = sight.cpu_time;
  }
  const bool matters = sight.live > 1 && !sight.waits;
  // Not one who writes what we read: it may have no room until now, and not know of it yet.
  const bool slept_on = sight.asleep && sight.cpu_time == cpu_at_last_look_ && sight.written == written_at_last_look_;
  cpu_at_last_look_ = sight.cpu_time;
  written_at_last_look_ = sight.written;
  sleeping_looks_ = slept_on && matters ? sleeping_looks_ + 1 : 0;
  if (sleeping_looks_ >= patience_.blocked_after) return Verdict::kBlocked;
  const uint64_t slice = sight.live > 1 ? slice_ : kAlone;
  if (sight.live == 0 || sight.asleep || sight.waits || sight.cpu_time < cpu_at_first_look_ + slice)
    return Verdict::kFine;
  if (sight.live > 1) slice_ = std::max(slice_ / 2, std::min(slice_, kLastSlice));
  cpu_at_first_look_ = sight.cpu_time;
  return Verdict::kRunsAway;
}

}  // namespace snarl::explore
