// Fatal signals: the process is about to die; say where every thread is, then let it die
// of the very signal, so that its parent sees what it would have seen without us.
#pragma once

#include <signal.h>

#include "runtime/state/thread.h"

namespace snarl::runtime {

// Once per process.
void catch_fatal_signals();

// What their handler does.
void note_fatal_signal(int signal, siginfo_t* info, void* context);

// The calling thread is about to send SIGKILL to the process, from `pc`: nothing can be said afterwards.
void note_own_kill(Thread& self, uint64_t pc);

}  // namespace snarl::runtime
