#include "runtime/trace/own_stack.h"

#include "runtime/state/state.h"
#include "runtime/trace/stacks.h"

namespace snarl::runtime {

void write_own_stack(Thread& self) {
  if (self.ordinal >= kMaxThreads) return;
  const wire::State& state = engine::shared->state;
  wire::Thread& entry = engine::shared->threads[self.ordinal];
  const uint64_t from = state.fault_pc != 0 && state.failing_thread == self.ordinal ? state.fault_pc : entry.pending.pc;
  entry.stack = write_stack(from, wire::kStackDepth);
}

}  // namespace snarl::runtime
