#include "runtime/simulated/outside.h"

#include <poll.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/signals.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kSlice = kMillisecond;             // between two looks at what poll(2) can't wait for
constexpr uint64_t kSignalSlice = 10 * kMillisecond;  // on gates, between two looks at signals that others were sent
constexpr uint64_t kPatience = 100 * kMillisecond;    // with a deadline pending, let it come after so long
constexpr uint64_t kPause = 10 * kMillisecond;  // while all threads spin: about a second before it is called a livelock
constexpr uint64_t kHangAfter = 5000 * kMillisecond;  // without one, call it a hang
constexpr uint64_t kHangAgain = 500 * kMillisecond;   // the same at the end of a recording that was one

uint64_t real_now() {
  timespec now;
  raw::call(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Every switch of the recording has been made, and it ended in one.
bool is_known_hang() {
  const wire::Command& command = engine::shared->command;
  return command.ends_in_hang != 0 && engine::shared->state.decisions >= command.follow_count;
}

SNARL_LARGE pollfd fds[kMaxThreads];

class RealOutside final : public conduct::Outside {
 public:
  bool may_come() const override {
    bool any_foreign = signals::may_come();
    waiting_.for_each([&any_foreign](ThreadId t) { any_foreign |= !thread_at(t).awaits->own; });
    return any_foreign;
  }

  void look(model::Model& model) override {
    signals::note_come();
    waiting_.for_each([&model](ThreadId t) { model.set_ready(t, is_ready(*thread_at(t).awaits)); });
  }

  bool wait(model::Model& model, uint64_t nanoseconds) override {
    const bool has_deadline = nanoseconds != ~uint64_t{0};
    const uint64_t longest = is_known_hang() ? kHangAgain : kHangAfter;
    const uint64_t limit = has_deadline ? (nanoseconds < kPatience ? nanoseconds : kPatience) : longest;
    const uint64_t start = real_now();
    while (model.enabled().empty()) {
      const uint64_t waited = real_now() - start;
      if (waited >= limit) return has_deadline;
      sleep_until_event(limit - waited);
      look(model);
    }
    return true;
  }

  bool wait_for(model::Model& model, ThreadId t) override {
    const uint64_t start = real_now();
    while (!model.enabled().has(t)) {
      const uint64_t waited = real_now() - start;
      if (waited >= kHangAfter || !waiting_.has(t)) return false;
      sleep_until_event(kSlice);
      look(model);
    }
    return true;
  }

  void fired(model::Model&, int alarm) override { timers::fired(alarm); }

  bool pause() override {
    itimerval timer{};
    raw::call(SYS_getitimer, ITIMER_REAL, &timer);
    const bool alarm = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
    const bool child = raw::call(SYS_waitid, P_ALL, 0, 0, WEXITED | WNOHANG | WNOWAIT, 0) == 0;
    if (alarm || child) return false;
    if (engine::shared->command.follow_count != 0) return true;  // whoever recorded it has waited
    sleep_until_event(kPause);
    return true;
  }

  void put(ThreadId t, bool waits) {
    waiting_.put(t, waits);
    note_any();
  }
  void note_any() { set_any(!waiting_.empty() || signals::may_come()); }

 private:
  void sleep_until_event(uint64_t nanoseconds) {
    int count = 0;
    bool all_pollable = !signals::may_come();  // a handler of another thread does not wake us
    waiting_.for_each([&](ThreadId t) {
      const Readiness& readiness = *thread_at(t).awaits;
      if (readiness.fd < 0)
        all_pollable = false;
      else
        fds[count++] = {readiness.fd, readiness.events, 0};
    });
    const uint64_t slice = !all_pollable ? kSlice : under_way.on_fibers ? nanoseconds : kSignalSlice;
    const uint64_t most = nanoseconds < slice ? nanoseconds : slice;
    const timespec span{static_cast<time_t>(most / 1'000'000'000), static_cast<long>(most % 1'000'000'000)};
    engine::shared->state.on_fibers.waits = 1;
    const uint64_t blocked = under_way.on_fibers ? signals::blocked_by_all() : 0;  // whoever waits here waits for all
    raw::call(SYS_ppoll, fds, count, &span, under_way.on_fibers ? &blocked : nullptr, sizeof blocked);
    engine::shared->state.on_fibers.waits = 0;
  }

  ThreadSet waiting_;
};

SNARL_RUN_STATE RealOutside outside;

// By number; a higher one is taken for foreign.
constexpr int kMaxNoted = 4096;
SNARL_PROCESS_STATE uint64_t own_fds[kMaxNoted / 64];

}  // namespace

void note_own(int fd, bool own) {
  if (fd < 0 || fd >= kMaxNoted) return;
  const uint64_t bit = uint64_t{1} << (fd % 64);
  own ? own_fds[fd / 64] |= bit : own_fds[fd / 64] &= ~bit;
}

bool is_own(int fd) { return fd >= 0 && fd < kMaxNoted && (own_fds[fd / 64] >> (fd % 64) & 1) != 0; }

bool is_ready(const Readiness& readiness) {
  if (readiness.fd < 0) return readiness.ready(readiness);
  pollfd fd{readiness.fd, readiness.events, 0};
  return raw::call(SYS_poll, &fd, 1, 0) != 0;  // an error is for the call itself to return
}

conduct::Outside& real_outside() { return outside; }

void start_awaiting(Thread& self, const Readiness& readiness) {
  self.awaits = &readiness;
  outside.put(self.id, true);
}

void stop_awaiting(Thread& self) { outside.put(self.id, false); }

void note_expectation() { outside.note_any(); }

}  // namespace snarl::runtime
