// The order of a parallel run, as the switches of a serial one. Pure.
//
// Every event has the time at which its thread had the object; sorted by time they are one order that fits every
// object's. A serial replay of it is the same run, unless threads met in between, in plain memory or atomics.
#pragma once

#include <span>
#include <vector>

#include "schedule/decision.h"
#include "schedule/event.h"

namespace snarl::record {

// All threads' events; each thread's own come in their order.
void sort_by_time(std::vector<Event>& events);

// `events`: sorted; their threads are below the number of `pending`. `pending`: what each thread was about to do at the
// end, by ordinal.
std::vector<Decision> serial_order(std::span<const Event> events, std::span<const Event> pending);

}  // namespace snarl::record
