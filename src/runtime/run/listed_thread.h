// A thread's entry in the wire.
#pragma once

#include "runtime/state/thread.h"
#include "wire/layout.h"

namespace snarl::runtime::engine {

// Null: the wire has no room for it.
wire::Thread* entry_of(const Thread& thread);

// A thread that the model knows is listed, with the counts of threads.
void list_thread(const Thread& thread, uint64_t start_pc);

}  // namespace snarl::runtime::engine
