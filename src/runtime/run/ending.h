// How a run ends: what the report needs is written to the wire while the process can still tell.
#pragma once

#include <signal.h>

#include "conduct/conductor.h"
#include "runtime/run/thread.h"
#include "schedule/outcome.h"

namespace snarl::runtime {

// The conductor can't go on: writes threads, locks and stacks, and ends the process.
[[noreturn]] void end_run(Thread& self, conduct::Turn turn);

// A misuse that was written down ends the run.
[[noreturn]] void end_misused();

// The runtime can't control this program; `why` is a sentence.
[[noreturn]] void refuse(const char* why);

// The test says that the run fails here, and why.
[[noreturn]] void fail_run(Thread& self, OutcomeKind kind, const char* why);

// Writes what every thread is doing, for a failure that the program itself brings about
// (abort, signal, exit code). Once per run.
void write_threads(Thread& self);

void write_own_stack(Thread& self);

void set_message(const char* text);
void set_assertion(const char* expression, const char* file, unsigned line, const char* function);

// Fatal signals write the threads first. Once per process, and a stack for it per thread.
void catch_fatal_signals();
void give_signal_stack(const Thread& self);
stack_t signal_stack_of(const Thread& self);
bool gives_signal_stacks();
// What their handler does.
void note_fatal_signal(int signal, siginfo_t* info, void* context);
// The calling thread is about to send SIGKILL to the process, from `pc`: nothing can be said afterwards.
void note_own_kill(Thread& self, uint64_t pc);

}  // namespace snarl::runtime
