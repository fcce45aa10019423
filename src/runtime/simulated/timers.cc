#include "runtime/simulated/timers.h"

#include <unistd.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/state.h"

namespace snarl::runtime::timers {
namespace {

struct Timer {
  Effect effect;
  bool is_set = false;
  bool has_come = false;
  bool waits = false;  // has come, and goes on when that has been noticed: it could come for ever otherwise
  uint64_t deadline = 0;
  uint64_t interval = 0;
  uint64_t pc = 0;
  int overrun = 0;
};

SNARL_RUN_STATE Timer timers[kMaxAlarms];
SNARL_RUN_STATE int used;  // timers ever made

uint64_t now() { return engine::conductor().model().now(); }

bool would_kill(const Effect& effect) {
  return effect.signal != 0 && !signals::has_handler(effect.signal) && !signals::is_ignored(effect.signal);
}

void arm(int index) {
  Timer& timer = timers[index];
  timer.is_set = true;
  timer.waits = false;
  engine::conductor().set_alarm(index, timer.deadline, would_kill(timer.effect), timer.has_come, timer.pc);
}

// To the next deadline that is not over. The number of those that were left out.
uint64_t step_at_once(int index) {
  Timer& timer = timers[index];
  const uint64_t missed = now() > timer.deadline ? (now() - timer.deadline) / timer.interval : 0;
  timer.deadline += (missed + 1) * timer.interval;
  arm(index);
  return missed;
}

// True if a handler will run.
bool notify(Timer& timer) {
  const Effect& effect = timer.effect;
  if (effect.kind == Kind::kFd) {
    const uint64_t once = 1;
    raw::call(SYS_write, effect.own_fd, &once, sizeof once);
    return false;
  }
  if (effect.signal == 0) return false;
  Thread* target = effect.tid == 0 ? nullptr : thread_with_tid(effect.tid);
  return target != nullptr ? signals::post(*target, effect.info) : signals::post_to_process(effect.info);
}

template <typename F>
int find(F&& is_it) {
  for (int i = 0; i < used; ++i)
    if (is_it(timers[i])) return i;
  return -1;
}

}  // namespace

int make(const Effect& effect) {
  int index = of_kind(Kind::kUnused);
  if (index < 0) index = used < kMaxAlarms ? used++ : -1;
  if (index < 0) return -1;
  timers[index] = Timer();
  timers[index].effect = effect;
  return index;
}

void drop(int index) {
  stop(index);
  if (timers[index].effect.own_fd >= 0) raw::call(SYS_close, timers[index].effect.own_fd);
  timers[index].effect.kind = Kind::kUnused;
}

void set(int index, uint64_t deadline, uint64_t interval, uint64_t pc) {
  timers[index].deadline = deadline;
  timers[index].interval = interval;
  timers[index].pc = pc;
  arm(index);
}

void stop(int index) {
  timers[index].is_set = timers[index].waits = false;
  engine::conductor().model().clear_alarm(index);
}

uint64_t remaining(int index) {
  if (!timers[index].is_set) return 0;
  return timers[index].deadline > now() ? timers[index].deadline - now() : 1;
}

uint64_t interval_of(int index) { return timers[index].interval; }
int overrun_of(int index) { return timers[index].overrun; }

bool any() { return used != 0; }

bool is_kind(int index, Kind kind) { return index >= 0 && index < used && timers[index].effect.kind == kind; }

int of_kind(Kind kind) {
  return find([kind](const Timer& timer) { return timer.effect.kind == kind; });
}

int with_fd(int fd) {
  if (used == 0) return -1;
  return find([fd](const Timer& timer) { return timer.effect.kind == Kind::kFd && timer.effect.fd == fd; });
}

void fired(int index) {
  Timer& timer = timers[index];
  timer.is_set = false;
  timer.has_come = true;
  timer.overrun = 0;
  const bool handled = notify(timer);
  if (timer.interval == 0) return;
  if (handled)
    step_at_once(index);
  else
    timer.waits = true;
}

uint64_t read_from(int index) { return timers[index].waits ? step_at_once(index) : 0; }

void taken(int signal) {
  for (int i = 0; i < used; ++i)
    if (timers[i].waits && timers[i].effect.signal == signal) timers[i].overrun = static_cast<int>(step_at_once(i));
}

}  // namespace snarl::runtime::timers
