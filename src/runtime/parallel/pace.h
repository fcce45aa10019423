// Thread speed control in a parallel run: threads run at the same time within an interval, and whoever has had its
// share of events (conduct/quotas.h) waits for the next one at its gate. All of it with the desk locked, but for the
// first two.
#pragma once

#include "policy/policy.h"
#include "runtime/parallel/member.h"

namespace snarl::runtime::parallel {

class Desk;

// Does the run have speeds?
bool is_paced();

// The calling thread is at a point, and has passed so many since the last look: waits if it has had its share.
void keep_pace(Thread& self, uint64_t passed);
// How many points it may pass until then, at most.
uint64_t points_until_pause(const Thread& self);

void begin_pace(const policy::Plan& plan);
void pace_new(const Thread& thread, uint64_t name);

// It can't go on, or has ended; it can go on again.
void pace_blocked(Desk& desk, ThreadId t);
void pace_unblocked(Member& member);
// Has it had its share? Then nobody waits for it.
bool is_pausing(ThreadId t);

}  // namespace snarl::runtime::parallel
