#include "runtime/trace/trace.h"

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/trace/careful_read.h"
#include "runtime/trace/heap.h"
#include "runtime/trace/stacks.h"
#include "schedule/event_words.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

// Events whose pages are asked for at once: a fault for each page would cost more than the events on it.
constexpr uint32_t kAtOnce = 1024;
static_assert(wire::kMaxEvents % kAtOnce == 0 && kAtOnce * sizeof(Event) % 4096 == 0);

Event& event_at(uint64_t number) { return engine::shared->events[number % wire::kMaxEvents]; }
Event& last_event() { return event_at(engine::shared->state.events - 1); }

bool writes_only(OpKind kind) { return kind == OpKind::kWrite || kind == OpKind::kAtomicStore; }

uint64_t memory_of(const Event& event) { return careful::read(event.object, event.size); }

// The write of the last event was performed since, and nobody else has taken a step.
void look_what_was_written() {
  if (engine::shared->state.events == 0) return;
  if (Event& last = last_event(); writes_only(last.kind)) last.value = memory_of(last);
}

Event& next_event() {
  look_what_was_written();
  const uint64_t number = engine::shared->state.events;
  Event& event = event_at(number);
  if (__builtin_expect(number % kAtOnce == 0, 0) && number < wire::kMaxEvents) {
    const auto begin = reinterpret_cast<uint64_t>(&event);
    raw::make_ready_to_write(begin, begin + kAtOnce * sizeof(Event));
  }
  return event;
}

uint64_t value_of(const Op& op) {
  switch (value_is(op.kind == OpKind::kAfter ? op.after : op.kind)) {
    case ValueIs::kMemory:
      if (op.kind == OpKind::kAfter) return op.seen;
      return writes_only(op.kind) ? 0 : careful::read(op.object, op.value);
    case ValueIs::kThread: return op.thread < kMaxThreads ? thread_at(op.thread).ordinal : 0;
    case ValueIs::kObject: return op.kind == OpKind::kAfter ? 0 : op.second;
    default: return op.kind == OpKind::kAfter ? 0 : op.value;
  }
}

}  // namespace

void trace_step(const Thread& self, const Op& op, int result, Reason switched, Step counted) {
  const bool in_memory = is_memory_access(op.kind);
  const EventDetails details{.thread = self.ordinal,
                             .order = op.order,
                             .switched = switched,
                             .stack = op.pc == 0 ? 0 : stack_of_event(op.pc),
                             .block = in_memory ? heap::list_block_of(op.object) : 0,
                             .size = in_memory ? static_cast<uint32_t>(op.value) : 0,
                             .kind = op.kind,
                             .after = op.after,
                             .result = static_cast<int16_t>(result)};
  const uint64_t place = op.pc != 0 ? op.pc : self.stopped_at;  // not the operation's own: it differs from run to run
  write_event(next_event(), counted * engine::conductor().step(), op.object, value_of(op), place, details);
  ++engine::shared->state.events;
}

void trace_created(const Thread& child) {
  if (engine::shared->state.events != 0) last_event().value = child.ordinal;
}

// If the turn was taken from the thread in between, the last event is another's.
uint64_t trace_performed(const Thread& self, uint64_t object, MemoryOrder order) {
  if (engine::shared->state.events == 0) return 0;
  Event& last = last_event();
  if (last.thread != self.ordinal || last.object != object || last.kind != OpKind::kAtomicRmw) return 0;
  last.order = order;
  return memory_of(last);
}

}  // namespace snarl::runtime
