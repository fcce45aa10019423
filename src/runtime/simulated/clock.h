// Time as the program sees it.
//
// In virtual time all clocks show the model's: they move when a deadline comes, and by a
// microsecond whenever somebody looks. So a sleep of an hour takes no time, and what the
// program reads is the same in every replay.
#pragma once

#include <time.h>

#include <cstdint>

#include "model/model.h"

namespace snarl::runtime::clock {

bool is_virtual();  // in this process and thread

model::Sleeps sleeps();

// Nanoseconds of that clock now.
uint64_t read(clockid_t id);

// A point in time of that clock, and a span from now, in the model's nanoseconds.
uint64_t deadline_at(clockid_t id, const timespec& time);
uint64_t deadline_in(const timespec& span);
uint64_t deadline_in(uint64_t nanoseconds);

bool is_valid(const timespec& time);
bool can_wait(clockid_t id);  // the clocks that glibc's timed waits accept

}  // namespace snarl::runtime::clock
