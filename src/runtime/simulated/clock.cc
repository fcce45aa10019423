#include "runtime/simulated/clock.h"

#include "runtime/parallel/run.h"
#include "runtime/parallel/time.h"
#include "runtime/run/engine.h"

namespace snarl::runtime::clock {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// Where the clocks stand when a run begins. The monotonic one is not zero: programs compute
// "now minus a while" with it.
constexpr uint64_t kFixedDate = 1'767'225'600 * kSecond;  // 2026-01-01 00:00:00 UTC
constexpr uint64_t kMonotonicBase = 1'000'000 * kSecond;

uint64_t base_of(clockid_t id) {
  const bool is_wall =
      id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI || id == CLOCK_REALTIME_ALARM;
  const bool is_cpu = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
  if (is_cpu) return 0;
  if (!is_wall) return kMonotonicBase;
  return engine::shared->command.settings.clock_base != 0 ? engine::shared->command.settings.clock_base : kFixedDate;
}

uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  if (static_cast<uint64_t>(time.tv_sec) > ~uint64_t{0} / kSecond / 2) return ~uint64_t{0} / 2;
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

bool is_virtual() { return current != nullptr && engine::shared->command.settings.time != TimeMode::kReal; }

model::Sleeps sleeps() {
  const TimeMode time = engine::shared->command.settings.time;
  return time == TimeMode::kFree      ? model::Sleeps::kFree
         : time == TimeMode::kPatient ? model::Sleeps::kAllLast
                                      : model::Sleeps::kLast;
}

// No point, but it may enable a timer.
uint64_t read(clockid_t id) {
  if (parallel::is_on()) return base_of(id) + parallel::look_at_clock();
  Inside inside(*current);
  return base_of(id) + engine::conductor().model().read_clock();
}

uint64_t deadline_at(clockid_t id, const timespec& time) {
  const uint64_t at = nanoseconds(time);
  return at > base_of(id) ? at - base_of(id) : 0;
}

uint64_t deadline_in(uint64_t span) {
  return (parallel::is_on() ? parallel::now() : engine::conductor().model().now()) + span;
}

uint64_t deadline_in(const timespec& span) { return deadline_in(nanoseconds(span)); }

bool can_wait(clockid_t id) { return id == CLOCK_REALTIME || id == CLOCK_MONOTONIC; }

bool is_valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond); }

}  // namespace snarl::runtime::clock
