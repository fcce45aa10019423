// Signals on their way, in lists: one for each thread and purpose. A list is a number, and 0 is the empty one: records
// of threads begin as zeros.
#pragma once

#include <signal.h>
#include <stdint.h>

namespace snarl::runtime::signals {

// In the kernel's order: low numbers first, those of one number as they were sent. False: there are too many on their
// way.
bool enqueue(uint16_t& list, const siginfo_t& info);

// Takes the first out of a list that is not empty.
siginfo_t dequeue(uint16_t& list);

bool is_queued(uint16_t list, int signal);
int first_in(uint16_t list);     // its number; 0: the list is empty
uint64_t set_of(uint16_t list);  // bit s-1 is signal s

constexpr uint64_t bit_of(int signal) { return signal > 0 && signal <= 64 ? uint64_t{1} << (signal - 1) : 0; }

}  // namespace snarl::runtime::signals
