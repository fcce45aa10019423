// Records what a thread that spins executes, an instruction at a time, by the processor's trap flag. From that the
// explorer sees whether its loop only waits, and for which memory (scan/spin_loop.h).
//
// One thread is recorded at a time. It goes on with what it does; nothing of it is changed but its speed. No schedule
// point can go by unseen: a recording ends, and is worth nothing, where the thread comes to our code.
#pragma once

#include <signal.h>
#include <ucontext.h>

namespace snarl::runtime::patch::rounds {

// In a signal handler of the thread: it is recorded from where it was interrupted. When all is recorded, the signal
// kWayGivingSignal comes to it. False: nothing will be recorded (there is no room, the place is in a recording of this
// run already, a debugger would see the traps, another thread is being recorded). `keep`: whatever it shows; otherwise
// only if it ends with two rounds that are equal in all registers, and at most some times in a run.
bool record(ucontext_t& interrupted, bool keep);

// By the same thread, in the handler of that signal: once true when its recording is over and was kept.
bool take_recorded();
// Some thread is being recorded.
bool is_under_way();

// A trap that is ours; the thread goes on as it should. Async-signal-safe.
bool on_trap(const siginfo_t& info, void* context);

}  // namespace snarl::runtime::patch::rounds
