// Quiet points (schedule/operation.h) in the program's own code that need no call into the engine.
//
// While the thread that has the turn is in the program's code, it has an allowance (Conductor::allowance). A hook
// for quiet points begins with
//
//   if (--engine::allowance >= 0) return;
//
// and asks the engine only when that is used up; zero is no allowance. Whoever leaves the program's code for ours
// calls stop(), so that all that the conductor and the model are asked from there on is right, and go() on the
// way back: Inside and Callback do.
#pragma once

#include <cstdint>

#include "instrument/block.h"
#include "runtime/state/under_way.h"

namespace snarl::runtime {

namespace instrumented {
extern instrument::Block block;  // what compiled-in hooks look at
}
namespace engine {
inline constexpr int64_t& allowance = instrumented::block.allowance;
}

namespace quiet {

extern bool wanted;  // a quiet point was met: where none is, nothing is granted

// The run begins, without allowance.
void begin();

void settle(Thread& self);
void grant(Thread& self);

// One quiet point in our code. False if it must be asked for.
bool step(Thread& self);

// What the thread has used is counted, by whoever took the turn from it.
void count_used(const Thread& of);

// What `self` has used is counted, and nothing is left.
inline void stop(Thread& self) {
  if (__builtin_expect(under_way.granted != 0, 0)) settle(self);
}
inline void go(Thread& self) {
  if (__builtin_expect(wanted, 0)) grant(self);
}

// Grows when points go by in the program's code: for the watchdog, from any thread. `arrivals` is what it knows else.
uint64_t progress(uint64_t arrivals);

}  // namespace quiet
}  // namespace snarl::runtime
