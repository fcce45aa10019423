// Clocks and sleeps, in virtual time. A sleep is a step that is enabled when its deadline has come.
#include <errno.h>

#include "runtime/hooks/primitives.h"
#include "runtime/run/cancel.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// The calling thread if its sleep is ours.
Thread* at_sleep(uint64_t pc) {
  Thread* self = at_point(pc);
  return clock::is_virtual() ? self : nullptr;
}

// Nanoseconds that were left when a signal handler ended the sleep; 0 if it came to its end.
uint64_t sleep_until(Thread& self, uint64_t deadline, uint64_t pc) {
  Inside inside(self);
  const Op op{.kind = OpKind::kSleep, .timed = true, .interrupts = Interrupts::kAlways, .deadline = deadline, .pc = pc};
  if (cancel::point(self, op) != EINTR) return 0;
  const uint64_t now = engine::conductor().model().now();
  return deadline > now ? deadline - now : 1;
}

timespec to_timespec(uint64_t nanoseconds) {
  return {.tv_sec = static_cast<time_t>(nanoseconds / kSecond), .tv_nsec = static_cast<long>(nanoseconds % kSecond)};
}

int interrupted() {
  errno = EINTR;
  return -1;
}

}  // namespace

SNARL_HOOK int clock_gettime(clockid_t id, timespec* time) noexcept {
  if (!clock::is_virtual()) return real().clock_gettime(id, time);
  const uint64_t now = clock::read(id);
  *time = to_timespec(now);
  return 0;
}

SNARL_HOOK int gettimeofday(timeval* time, void* zone) noexcept {
  if (!clock::is_virtual()) return real().gettimeofday(time, zone);
  const uint64_t now = clock::read(CLOCK_REALTIME);
  *time = {.tv_sec = static_cast<time_t>(now / kSecond), .tv_usec = static_cast<suseconds_t>(now % kSecond / 1000)};
  return 0;
}

SNARL_HOOK time_t time(time_t* result) noexcept {
  if (!clock::is_virtual()) return real().time(result);
  const time_t now = static_cast<time_t>(clock::read(CLOCK_REALTIME) / kSecond);
  if (result != nullptr) *result = now;
  return now;
}

SNARL_HOOK int timespec_get(timespec* time, int base) noexcept {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

SNARL_HOOK int nanosleep(const timespec* span, timespec* left) {
  Thread* self = at_sleep(SNARL_PC);
  if (self == nullptr || !clock::is_valid(*span)) return real().nanosleep(span, left);
  const uint64_t rest = sleep_until(*self, clock::deadline_in(*span), SNARL_PC);
  if (rest == 0) return 0;
  if (left != nullptr) *left = to_timespec(rest);
  return interrupted();
}

int thread_sleep(clockid_t id, int flags, const timespec* span, timespec* left, uint64_t pc) {
  Thread* self = at_sleep(pc);
  if (self == nullptr || !clock::is_valid(*span)) return real().clock_nanosleep(id, flags, span, left);
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const uint64_t rest = sleep_until(*self, absolute ? clock::deadline_at(id, *span) : clock::deadline_in(*span), pc);
  if (rest == 0) return 0;
  if (left != nullptr && !absolute) *left = to_timespec(rest);
  return EINTR;
}

SNARL_HOOK int clock_nanosleep(clockid_t id, int flags, const timespec* span, timespec* left) {
  return thread_sleep(id, flags, span, left, SNARL_PC);
}

SNARL_HOOK int usleep(useconds_t microseconds) {
  Thread* self = at_sleep(SNARL_PC);
  if (self == nullptr) return real().usleep(microseconds);
  return sleep_until(*self, clock::deadline_in(uint64_t{microseconds} * 1000), SNARL_PC) == 0 ? 0 : interrupted();
}

SNARL_HOOK unsigned sleep(unsigned seconds) {
  Thread* self = at_sleep(SNARL_PC);
  if (self == nullptr) return real().sleep(seconds);
  const uint64_t rest = sleep_until(*self, clock::deadline_in(uint64_t{seconds} * kSecond), SNARL_PC);
  return static_cast<unsigned>((rest + kSecond / 2) / kSecond);
}

}  // namespace snarl::runtime
