#include "runtime/parallel/time.h"

#include "runtime/parallel/run.h"
#include "runtime/run/engine.h"
#include "runtime/simulated/clock.h"

namespace snarl::runtime::parallel {
namespace {

constexpr uint64_t kSecond = 1'000'000'000, kLook = 1000;

Time virtual_now;

uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  if (static_cast<uint64_t>(time.tv_sec) > ~uint64_t{0} / kSecond / 4) return ~uint64_t{0} / 4;
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t read_machine(clockid_t clock) {
  timespec time = {};
  libc().clock_gettime(clock, &time);  // without a system call, mostly
  return nanoseconds(time);
}

}  // namespace

bool is_virtual_time() { return engine::shared->command.settings.time != TimeMode::kReal; }

Time now() { return is_virtual_time() ? __atomic_load_n(&virtual_now, __ATOMIC_RELAXED) : machine_now(); }

Time machine_now() { return read_machine(CLOCK_MONOTONIC); }

Time look_at_clock() { return __atomic_add_fetch(&virtual_now, kLook, __ATOMIC_RELAXED); }

Time time_at(clockid_t clock, const timespec& time) {
  if (is_virtual_time()) return clock::deadline_at(clock, time);
  const uint64_t at = nanoseconds(time), passed = read_machine(clock);
  return now() + (at > passed ? at - passed : 0);
}

Time time_in(uint64_t span) { return now() + span; }
Time time_in(const timespec& span) { return time_in(nanoseconds(span)); }

bool is_valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond);
}

void skip_to(Time to) {
  Time seen = __atomic_load_n(&virtual_now, __ATOMIC_RELAXED);
  while (seen < to && !__atomic_compare_exchange_n(&virtual_now, &seen, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace snarl::runtime::parallel
