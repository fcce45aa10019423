// What is done once in a process before its first run.
#pragma once

namespace snarl::runtime {

// engine::shared is set. Says in the wire that the runtime is there, and what is loaded.
void get_ready();

}  // namespace snarl::runtime
