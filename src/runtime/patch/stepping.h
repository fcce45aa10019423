// Points at patched addresses without patches: the program's bytes stay as they are, and the processor stops after each
// instruction (the trap flag) where an instruction may be a site.
//
// A run like that judges the patches: it has the same points, so it can follow the decisions of a run with patches, and
// what goes wrong in it is the program's own doing. Pages that hold sites can't be executed while no thread is in them.
// A thread that comes to one faults; the page is opened, and its instructions are stepped until the thread leaves it.
// At a site control goes to a stub, which makes the point outside of any signal handler and ends with an int3 that
// leads back.
//
// One thread runs at a time: the state belongs to the thread that has the turn.
#pragma once

#include <signal.h>

#include <cstdint>

namespace snarl::runtime::patch::stepping {

// An instruction of a patch that was planned.
struct Site {
  uint64_t address;
  uint64_t before, after;  // stubs; 0: there is no point
  uint64_t length;
  bool emulated;  // its stub does what it does
};

// Before the first add(). False: no room.
bool reserve();
bool is_on();  // some file is stepped

// In any order; order() is called before the sites count. Emulated ones count from then on: a run has
// random numbers before it has a second thread, too. False: no room.
bool add(const Site& site);
void order();

// From now on all sites are points: called when a second thread is made, as steps are counted from there.
void begin();
// Nothing is stepped any more in this process.
void end();

// A fault, or a trap, that is ours; the context goes on as it should. Async-signal-safe.
bool on_fault(const siginfo_t& info, void* context);
bool on_trap(const siginfo_t& info, void* context);

}  // namespace snarl::runtime::patch::stepping
