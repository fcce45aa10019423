// What is done once in a process before its first run.
#pragma once

namespace snarl::runtime {

// engine::shared is set. Says in the wire that the runtime is there, and what is loaded.
void get_ready();

// Pins the process to that core, and says so in the wire. Below 0: to none.
void pin(int cpu);

}  // namespace snarl::runtime
