#include "runtime/run/ending.h"

#include "runtime/parallel/run.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"
#include "runtime/run/engine.h"
#include "runtime/run/switching.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/stacks.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

bool threads_written;  // one process, one run

wire::State& state() { return engine::shared->state; }

OutcomeKind outcome_of(conduct::Turn turn) {
  switch (turn) {
    case conduct::Turn::kDeadlock: return OutcomeKind::kDeadlock;
    case conduct::Turn::kBudget: return OutcomeKind::kStepBudget;
    case conduct::Turn::kDiverged: return OutcomeKind::kDivergence;
    case conduct::Turn::kHang: return OutcomeKind::kHang;
    case conduct::Turn::kLivelock: return OutcomeKind::kLivelock;
    default: return OutcomeKind::kRefused;
  }
}

[[noreturn]] void end_process() {
  state().phase.store(wire::Phase::kEnded, std::memory_order_release);
  raw::exit_group(0);
}

void write_thread(ThreadId t) {
  const model::Model& model = engine::conductor().model();
  const uint32_t ordinal = model.ordinal(t);
  if (ordinal >= kMaxThreads) return;
  wire::Thread& entry = engine::shared->threads[ordinal];
  entry.pending = model.pending(t);
  if (entry.pending.thread < kMaxThreads)
    entry.pending.thread = static_cast<ThreadId>(model.ordinal(entry.pending.thread));
  entry.enabled = model.enabled().has(t) ? 1 : 0;
  entry.steps = engine::conductor().taken(t);
  entry.thread_pointer = thread_at(t).handle;  // glibc's handle is that
}

void add_held(const wire::Held& held) {
  if (state().held < wire::kMaxHeld) engine::shared->held[state().held++] = held;
}

void write_held() {
  state().held = 0;
  engine::conductor().model().objects().for_each([](const model::Object& object) {
    if (!object.mutex.is_free())
      add_held({.object = object.address, .pc = object.mutex.pc, .owner = object.owner_ordinal});
    const wire::HeldAs as = object.rwlock.writer != kNoThread ? wire::HeldAs::kWriting : wire::HeldAs::kReading;
    for (uint8_t i = 0; i < object.rwlock.holders.count; ++i) {
      const model::RwHolders::Holder& holder = object.rwlock.holders.known[i];
      add_held({.object = object.address, .pc = holder.pc, .owner = holder.ordinal, .as = as});
    }
  });
}

}  // namespace

void write_own_stack(Thread& self) {
  if (self.ordinal >= kMaxThreads) return;
  wire::Thread& entry = engine::shared->threads[self.ordinal];
  const uint64_t from =
      state().fault_pc != 0 && state().failing_thread == self.ordinal ? state().fault_pc : entry.pending.pc;
  entry.stack = write_stack(from, wire::kStackDepth);
}

void write_threads(Thread& self) {
  if (threads_written) return;
  threads_written = true;
  debugger::note_failure();
  if (parallel::is_on()) return parallel::write_threads(self);
  state().failing_thread = self.ordinal;
  quiet::stop(self);
  const model::Model& model = engine::conductor().model();
  model.live().for_each([](ThreadId t) { write_thread(t); });
  write_held();
  if (model.live().has(self.id)) write_own_stack(self);
  model.live().for_each([&self](ThreadId t) {
    if (t != self.id) switching::ask_for_stack(thread_at(t));
  });
}

void end_run(Thread& self, conduct::Turn turn) {
  state().outcome = outcome_of(turn);
  if (turn == conduct::Turn::kDiverged) {
    state().expected = engine::conductor().expected();
    state().got = engine::conductor().got();
  }
  if (turn == conduct::Turn::kFull) set_message("more than 16384 synchronisation objects are in use at once");
  write_threads(self);
  end_process();
}

void end_misused() { end_process(); }

void refuse(const char* why) {
  state().outcome = OutcomeKind::kRefused;
  set_message(why);
  end_process();
}

void fail_run(Thread& self, OutcomeKind kind, const char* why) {
  ++self.inside;
  state().outcome = kind;
  set_message(why);
  write_threads(self);
  end_process();
}

void set_message(const char* text) { TextWriter(state().message) << text; }

void set_assertion(const char* expression, const char* file, unsigned line, const char* function) {
  state().outcome = OutcomeKind::kAssert;
  TextWriter(state().message) << file << ":" << line << ": " << function << ": Assertion `" << expression
                              << "' failed.";
}

}  // namespace snarl::runtime
