#include "runtime/trace/trace.h"

#include "runtime/state/state.h"
#include "runtime/trace/heap.h"
#include "runtime/trace/stacks.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

uint32_t other_ordinal(const Op& op) { return op.thread < kMaxThreads ? thread_at(op.thread).ordinal : 0; }

}  // namespace

void trace_step(const Thread& self, const Op& op, int result, Reason switched, Step counted) {
  wire::Layout& wire = *engine::shared;
  wire::Event& event = wire.events[wire.state.events % wire::kMaxEvents];
  const StackRef stack = op.pc == 0 ? StackRef() : write_stack(op.pc, wire::kEventDepth);
  event = wire::Event{};
  event.step = counted * engine::conductor().step();
  event.object = op.object;
  event.second = is_memory_access(op.kind) ? heap::list_block_of(op.object) : op.second;
  event.pc = op.pc != 0 ? op.pc : self.stopped_at;  // not the operation's own: it differs from run to run
  event.thread = self.ordinal;
  event.other = other_ordinal(op);
  event.stack = stack.first;
  event.depth = stack.depth;
  event.result = result;
  event.kind = op.kind;
  event.after = op.after;
  event.switched = switched;
  ++wire.state.events;
}

void trace_created(const Thread& child) {
  wire::Layout& wire = *engine::shared;
  if (wire.state.events != 0) wire.events[(wire.state.events - 1) % wire::kMaxEvents].other = child.ordinal;
}

}  // namespace snarl::runtime
