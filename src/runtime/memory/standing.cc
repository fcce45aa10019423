#include "runtime/memory/standing.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "base/thread_set.h"
#include "runtime/memory/race_notes.h"
#include "runtime/state/state.h"
#include "runtime/trace/stacks.h"

namespace snarl::runtime::standing {

SNARL_RUN_STATE bool is_on = false;

namespace {

struct Stand {
  Op op;
  uint32_t stack;  // of a traced run
};
SNARL_LARGE Stand stands[kMaxThreads];
SNARL_RUN_STATE ThreadSet all;  // whose entries count

bool is_atomic(OpKind kind) { return kind != OpKind::kRead && kind != OpKind::kWrite; }
// A read-modify-write may be a compare-exchange, which writes nothing if it fails.
bool writes(OpKind kind) { return kind == OpKind::kWrite || kind == OpKind::kAtomicStore; }

bool overlap(const Op& a, const Op& b) { return a.object < b.object + b.value && b.object < a.object + a.value; }

bool come_together(const Op& a, const Op& b) {
  return overlap(a, b) && (writes(a.kind) || writes(b.kind)) && !(is_atomic(a.kind) && is_atomic(b.kind));
}

// It may have left without going on there: by a signal's handler, or by its cancellation.
bool still_stands(ThreadId t) {
  const model::Model& model = engine::conductor().model();
  const Op &op = stands[t].op, &pending = model.pending(t);
  return model.live().has(t) && pending.kind == op.kind && pending.pc == op.pc && pending.object == op.object;
}

}  // namespace

void begin() {
  const RunSettings& settings = engine::shared->command.settings;
  is_on = settings.races && !settings.parallel;
  all.clear();
  race_notes::begin();
}

void look(Thread& self, const Op& op) {
  all.for_each_below(kMaxThreads, [&](ThreadId t) {
    const Op& other = stands[t].op;
    if (t == self.id || !come_together(op, other) || !still_stands(t)) return;
    race_notes::note(self, op,
                     {.thread = thread_at(t).ordinal,
                      .kind = other.kind,
                      .pc = other.pc,
                      .address = other.object,
                      .size = static_cast<uint32_t>(other.value),
                      .stack = stands[t].stack,
                      .stands_there = true});
  });
}

void wait(const Thread& self, const Op& op) {
  stands[self.id].op = op;
  stands[self.id].stack = engine::shared->command.settings.trace ? write_stack(op.pc, wire::kStackDepth) : 0;
  all.add(self.id);
}

void leave(const Thread& self) { all.remove(self.id); }

}  // namespace snarl::runtime::standing
