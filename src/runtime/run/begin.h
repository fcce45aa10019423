// The beginning of a run.
#pragma once

namespace snarl::runtime::engine {

// Starts the run that the wire's command orders; the calling thread is its main thread.
void begin_run();

}  // namespace snarl::runtime::engine
