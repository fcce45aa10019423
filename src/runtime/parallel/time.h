// Time in a parallel run. Virtual, unless --time real: it stands still, but for a microsecond whenever
// somebody looks, and skips to the earliest deadline when nobody else can go on (docs/rules.md, rule 7).
#pragma once

#include <time.h>

#include <cstdint>

namespace snarl::runtime::parallel {

// Nanoseconds of the model's clock (runtime/simulated/clock.h), or of the machine's monotonic one.
using Time = uint64_t;
constexpr Time kNever = ~Time{0};

bool is_virtual_time();

Time now();
Time look_at_clock();  // and a microsecond passes, if time is virtual

// The machine's monotonic clock, whatever time the program sees.
Time machine_now();

// A point in time of that clock, and a span from now.
Time time_at(clockid_t clock, const timespec& time);
Time time_in(uint64_t nanoseconds);
Time time_in(const timespec& span);
bool is_valid(const timespec& time);

// It is now `to`, if that is later.
void skip_to(Time to);

}  // namespace snarl::runtime::parallel
