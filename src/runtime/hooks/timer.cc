// alarm, setitimer, timerfd and POSIX timers, in virtual time (runtime/simulated/timers.h). Timers of CPU time,
// those that call a function in a thread of libc's (SIGEV_THREAD), and all in parallel runs are left to libc.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/outside.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uintptr_t kFirstId = 0x736e0000;  // the kernel's ids of timers begin at 0

// The timers of a parallel run are the kernel's, in real time.
bool is_ours() { return clock::is_virtual() && !runs_in_parallel(); }

int failed(int error) {
  errno = error;
  return -1;
}

uint64_t nanoseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_usec) * 1000;
}
uint64_t nanoseconds(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}
timeval to_timeval(uint64_t n) {
  return {static_cast<time_t>(n / kSecond), static_cast<suseconds_t>((n % kSecond + 999) / 1000 % 1'000'000)};
}
timespec to_timespec(uint64_t n) { return {static_cast<time_t>(n / kSecond), static_cast<long>(n % kSecond)}; }

// The one behind alarm and ITIMER_REAL.
int interval_timer() {
  const int timer = timers::of_kind(timers::Kind::kInterval);
  if (timer >= 0) return timer;
  timers::Effect effect{.kind = timers::Kind::kInterval, .signal = SIGALRM};
  effect.info.si_signo = SIGALRM;
  effect.info.si_code = SI_KERNEL;
  return timers::make(effect);
}

// What was left of it.
uint64_t set_interval_timer(uint64_t span, uint64_t interval, uint64_t pc) {
  const int timer = interval_timer();
  if (timer < 0) return 0;
  const uint64_t left = timers::remaining(timer);
  if (span == 0)
    timers::stop(timer);
  else
    timers::set(timer, clock::deadline_in(span), interval, pc);
  return left;
}

itimerspec state_of(int timer) {
  return {to_timespec(timers::interval_of(timer)), to_timespec(timers::remaining(timer))};
}

int set_timer(int timer, clockid_t id, bool absolute, const itimerspec& value, itimerspec* old, uint64_t pc) {
  if (!clock::is_valid(value.it_value) || !clock::is_valid(value.it_interval)) return failed(EINVAL);
  if (old != nullptr) *old = state_of(timer);
  if (value.it_value.tv_sec == 0 && value.it_value.tv_nsec == 0) {
    timers::stop(timer);
    return 0;
  }
  timers::set(timer, absolute ? clock::deadline_at(id, value.it_value) : clock::deadline_in(value.it_value),
              nanoseconds(value.it_interval), pc);
  return 0;
}

SNARL_RUN_STATE clockid_t clocks[kMaxAlarms];  // by timer

int number_of(timer_t id) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(id);
  const int timer = value >= kFirstId && value < kFirstId + kMaxAlarms ? static_cast<int>(value - kFirstId) : -1;
  return is_ours() && timers::is_kind(timer, timers::Kind::kPosix) ? timer : -1;
}

bool is_wall_or_monotonic(clockid_t id) {
  return id == CLOCK_REALTIME || id == CLOCK_MONOTONIC || id == CLOCK_BOOTTIME || id == CLOCK_TAI;
}

timers::Effect effect_of(const sigevent* event) {
  timers::Effect effect{.kind = timers::Kind::kPosix, .signal = SIGALRM};
  if (event != nullptr) {
    effect.signal = event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
    effect.info.si_value = event->sigev_value;
    if (event->sigev_notify == SIGEV_THREAD_ID) effect.tid = event->_sigev_un._tid;
  }
  effect.info.si_signo = effect.signal;
  effect.info.si_code = SI_TIMER;
  return effect;
}

// What had come before the timer was set again.
void forget_count(int fd) {
  uint64_t count;
  const long status = raw::call(SYS_fcntl, fd, F_GETFL, 0);
  raw::call(SYS_fcntl, fd, F_SETFL, status | O_NONBLOCK);
  raw::call(SYS_read, fd, &count, sizeof count);
  raw::call(SYS_fcntl, fd, F_SETFL, status);
}

}  // namespace

SNARL_HOOK unsigned alarm(unsigned seconds) noexcept {
  if (!is_ours()) return real().alarm(seconds);
  Inside inside(*current);
  const uint64_t left = set_interval_timer(seconds * kSecond, 0, SNARL_PC);
  return left == 0 ? 0 : left < kSecond ? 1 : static_cast<unsigned>((left + kSecond / 2) / kSecond);
}

SNARL_HOOK int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  if (which != ITIMER_REAL || value == nullptr || !is_ours()) return real().setitimer(which, value, old);
  Inside inside(*current);
  const int timer = interval_timer();
  const uint64_t interval = timer < 0 ? 0 : timers::interval_of(timer);
  const uint64_t left = set_interval_timer(nanoseconds(value->it_value), nanoseconds(value->it_interval), SNARL_PC);
  if (old != nullptr) *old = {to_timeval(interval), to_timeval(left)};
  return 0;
}

SNARL_HOOK int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  const int timer = which == ITIMER_REAL && is_ours() ? interval_timer() : -1;
  if (timer < 0) return real().getitimer(which, value);
  *value = {to_timeval(timers::interval_of(timer)), to_timeval(timers::remaining(timer))};
  return 0;
}

// An eventfd reads and polls just like it: a counter that is zeroed by reading.
SNARL_HOOK int timerfd_create(clockid_t id, int flags) noexcept {
  if (!is_ours() || (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) != 0 || !is_wall_or_monotonic(id))
    return real().timerfd_create(id, flags);
  Inside inside(*current);
  const int fd = static_cast<int>(raw::call(SYS_eventfd2, 0, flags));
  if (fd < 0) return failed(-fd);
  const int own = static_cast<int>(
      raw::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 512));  // far from the numbers that the program expects
  const int timer = timers::make({.kind = timers::Kind::kFd, .fd = fd, .own_fd = own});
  if (timer < 0) {
    raw::call(SYS_close, fd);
    return failed(EMFILE);
  }
  clocks[timer] = id;
  note_own(fd, true);
  return fd;
}

SNARL_HOOK int timerfd_settime(int fd, int flags, const itimerspec* value, itimerspec* old) noexcept {
  const int timer = is_ours() ? timers::with_fd(fd) : -1;
  if (timer < 0) return real().timerfd_settime(fd, flags, value, old);
  Inside inside(*current);
  forget_count(fd);
  return set_timer(timer, clocks[timer], (flags & TFD_TIMER_ABSTIME) != 0, *value, old, SNARL_PC);
}

SNARL_HOOK int timerfd_gettime(int fd, itimerspec* value) noexcept {
  const int timer = is_ours() ? timers::with_fd(fd) : -1;
  if (timer < 0) return real().timerfd_gettime(fd, value);
  *value = state_of(timer);
  return 0;
}

// The function of SIGEV_THREAD runs in a thread that libc makes behind our back.
SNARL_HOOK int timer_create(clockid_t id, sigevent* event, timer_t* result) noexcept {
  const bool in_thread = event != nullptr && event->sigev_notify == SIGEV_THREAD;
  if (in_thread)
    fibers::give_up("the program has timers with SIGEV_THREAD, for which libc makes an OS thread of its own");
  if (!is_ours() || in_thread || !is_wall_or_monotonic(id)) return real().timer_create(id, event, result);
  Inside inside(*current);
  timers::Effect effect = effect_of(event);
  if (effect.signal < 0 || effect.signal > 64) return failed(EINVAL);
  const int timer = timers::make(effect);
  if (timer < 0) return failed(EAGAIN);
  clocks[timer] = id;
  *result = reinterpret_cast<timer_t>(kFirstId + static_cast<uintptr_t>(timer));
  return 0;
}

SNARL_HOOK int timer_settime(timer_t id, int flags, const itimerspec* value, itimerspec* old) noexcept {
  const int timer = number_of(id);
  if (timer < 0) return real().timer_settime(id, flags, value, old);
  Inside inside(*current);
  return set_timer(timer, clocks[timer], (flags & TIMER_ABSTIME) != 0, *value, old, SNARL_PC);
}

SNARL_HOOK int timer_gettime(timer_t id, itimerspec* value) noexcept {
  const int timer = number_of(id);
  if (timer < 0) return real().timer_gettime(id, value);
  *value = state_of(timer);
  return 0;
}

SNARL_HOOK int timer_getoverrun(timer_t id) noexcept {
  const int timer = number_of(id);
  return timer < 0 ? real().timer_getoverrun(id) : timers::overrun_of(timer);
}

SNARL_HOOK int timer_delete(timer_t id) noexcept {
  const int timer = number_of(id);
  if (timer < 0) return real().timer_delete(id);
  Inside inside(*current);
  timers::drop(timer);
  return 0;
}

}  // namespace snarl::runtime
