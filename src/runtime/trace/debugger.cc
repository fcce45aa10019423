#include "runtime/trace/debugger.h"

#include "base/large.h"
#include "runtime/fiber/fibers.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

constexpr uint32_t kVersion = 3;

// Who must do something before `op` can be: the thread that it joins, the owner of its mutex.
int32_t waits_for(model::Model& model, const Op& op) {
  ThreadId other = kNoThread;
  if (op.kind == OpKind::kJoin) other = op.thread;
  if (op.kind == OpKind::kLock) other = model.owner(op.object);
  return other == kNoThread ? -1 : static_cast<int32_t>(model.ordinal(other));
}

void list_thread(model::Model& model, ThreadId t, uint32_t running) {
  const Thread& thread = thread_at(t);
  const Op& op = model.pending(t);
  SnarlDebugThread& entry = snarl_debug.threads[snarl_debug.count++];
  entry = {};
  entry.ordinal = thread.ordinal;
  entry.tid = under_way.on_fibers ? 0 : thread.tid;
  if (under_way.on_fibers && thread.fiber != fibers::running)
    entry.context = reinterpret_cast<uint64_t>(&thread.fiber->context);
  entry.enabled = model.enabled().has(t) ? 1 : 0;
  entry.has_turn = thread.ordinal == running ? 1 : 0;
  entry.waits_for = entry.enabled != 0 ? -1 : waits_for(model, op);
  entry.object = op.object;
  entry.pc = op.pc;
  entry.operation = name_of(op.kind);
  if (thread.ordinal >= kMaxThreads) return;
  const wire::Thread& wired = engine::shared->threads[thread.ordinal];
  entry.start_pc = wired.start_pc;
  raw::copy(entry.label, wired.label, sizeof entry.label);
}

void list_switch(const wire::State& state) {
  snarl_debug.switches = static_cast<uint32_t>(state.switches);
  if (state.decisions == 0) return;
  const Decision& last = engine::shared->decisions[state.decisions - 1];
  snarl_debug.from = last.from;
  snarl_debug.to = last.to;
  snarl_debug.switch_step = last.step;
  snarl_debug.switch_pc = last.pc;
  snarl_debug.switch_operation = name_of(last.kind);
  snarl_debug.switch_reason = name_of(last.reason);
}

}  // namespace

void debugger::fill_table() {
  snarl_debug.version = kVersion;
  snarl_debug.count = 0;
  if (runs_in_parallel()) return;
  const wire::State& state = engine::shared->state;
  snarl_debug.step = state.steps;
  snarl_debug.outcome = name_of(state.outcome);
  snarl_debug.message = state.message;
  list_switch(state);
  model::Model& model = engine::conductor().model();
  const uint32_t running = snarl_debug.switches == 0 ? 0 : snarl_debug.to;
  model.live().for_each([&](ThreadId t) { list_thread(model, t, running); });
  if (snarl_debug.count == 1) snarl_debug.threads[0].has_turn = 1;  // alone: it takes it without a switch
}

void debugger::show_step() {
  fill_table();
  if (snarl_debug.stop_at == 0 || runs_in_parallel()) return;
  snarl_debug.step = engine::conductor().step();
  if (snarl_debug.step < snarl_debug.stop_at) return;
  snarl_debug.stop_at = 0;
  snarl_debug_reached();
}

}  // namespace snarl::runtime

extern "C" {

SNARL_LARGE SnarlDebug snarl_debug;  // all zero: it takes no room in the file

// Empty but for something that no compiler takes away.
__attribute__((noinline)) void snarl_debug_turn() { asm volatile(""); }
__attribute__((noinline)) void snarl_debug_reached() { asm volatile(""); }
__attribute__((noinline)) void snarl_debug_failed() { asm volatile(""); }
__attribute__((noinline)) void snarl_debug_misuse(const char* kind) { asm volatile("" : : "r"(kind)); }
}
