// How a run ends: what the report needs is written to the wire while the process can still tell.
#pragma once

#include "conduct/conductor.h"
#include "runtime/state/thread.h"
#include "schedule/outcome.h"

namespace snarl::runtime {

// The conductor can't go on: writes threads, locks and stacks, and ends the process.
[[noreturn]] void end_run(Thread& self, conduct::Turn turn);

// The test says that the run fails here, and why.
[[noreturn]] void fail_run(Thread& self, OutcomeKind kind, const char* why);

// Writes what every thread is doing, for a failure that the program itself brings about
// (abort, signal, exit code). Once per run.
void write_threads(Thread& self);

}  // namespace snarl::runtime
