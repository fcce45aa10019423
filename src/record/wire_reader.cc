#include "record/wire_reader.h"

#include <algorithm>
#include <cstring>

#include "record/parallel_order.h"
#include "schedule/ordinal.h"

namespace snarl::record {
namespace {

// Reads a number once: the compiler must not look again after we have checked it.
template <typename T>
T once(const T& value) {
  return *const_cast<const volatile T*>(&value);
}

template <typename Kind>
Kind known(Kind kind, Kind limit) {
  return kind < limit ? kind : Kind{};
}

template <size_t N>
std::string text_of(const char (&text)[N]) {
  return std::string(text, strnlen(text, N));
}

template <typename T, size_t N>
std::vector<T> copy(const T (&from)[N], uint64_t count) {
  return std::vector<T>(from, from + std::min<uint64_t>(count, N));
}

Decision checked(Decision d) {
  d.kind = known(d.kind, OpKind::kCount);
  d.reason = known(d.reason, Reason::kCount);
  return d;
}

// A stack is (first, depth) into the frames; the part that is not there is cut off.
void check_stack(uint32_t& first, uint32_t& depth, uint32_t most, size_t frames) {
  first = std::min<uint32_t>(first, static_cast<uint32_t>(frames));
  depth = std::min({depth, most, static_cast<uint32_t>(frames - first)});
}

// Only decisions speak of timers.
void check_ordinal(uint32_t& ordinal) { ordinal = thread_ordinal(ordinal); }

void check(wire::Event& event, size_t frames) {
  check_ordinal(event.thread);
  check_ordinal(event.other);
  event.kind = known(event.kind, OpKind::kCount);
  event.after = known(event.after, OpKind::kCount);
  event.switched = known(event.switched, Reason::kCount);
  check_stack(event.stack, event.depth, wire::kEventDepth, frames);
}

void check(wire::Thread& thread, size_t frames) {
  check_ordinal(thread.ordinal);
  check_ordinal(thread.creator);
  if (thread.phase > wire::ThreadPhase::kEnded) thread.phase = wire::ThreadPhase::kUnused;
  thread.pending.kind = known(thread.pending.kind, OpKind::kCount);
  thread.pending.after = known(thread.pending.after, OpKind::kCount);
  if (thread.pending.mutex > MutexKind::kErrorCheck) thread.pending.mutex = MutexKind::kNormal;
  if (thread.pending.thread >= kMaxThreads) thread.pending.thread = kNoThread;
  thread.label[sizeof thread.label - 1] = '\0';
  check_stack(thread.stack, thread.depth, wire::kStackDepth, frames);
}

void read_threads(const wire::Layout& layout, RunRecord& record) {
  record.threads = copy(layout.threads, once(layout.state.threads));
  for (wire::Thread& thread : record.threads) check(thread, record.frames.size());
}

void read_held(const wire::Layout& layout, RunRecord& record) {
  record.held = copy(layout.held, once(layout.state.held));
  for (wire::Held& held : record.held) {
    check_ordinal(held.owner);
    check_stack(held.stack, held.depth, wire::kStackDepth, record.frames.size());
    if (held.as > wire::HeldAs::kWriting) held.as = wire::HeldAs::kMutex;
  }
}

// The process may have been writing: what is not complete has no kind, and counts for nothing.
void read_misuses(const wire::Layout& layout, RunRecord& record) {
  record.misuses = copy(layout.misuses, layout.state.misuses.load(std::memory_order_acquire));
  for (wire::MisuseEntry& m : record.misuses) {
    m.what.kind = known(m.what.kind, MisuseKind::kCount);
    m.what.op = known(m.what.op, OpKind::kCount);
    m.what.other_op = known(m.what.other_op, OpKind::kCount);
    check_ordinal(m.what.thread);
    if (m.what.other != kNobody) check_ordinal(m.what.other);
    check_stack(m.stack, m.depth, wire::kStackDepth, record.frames.size());
  }
}

void read_decisions(const wire::Layout& layout, RunRecord& record) {
  record.decisions = copy(layout.decisions, once(layout.state.decisions));
  for (Decision& d : record.decisions) d = checked(d);
  record.decisions_cut = record.switches > record.decisions.size();
}

ParallelStep step_of(const wire::Happened& happened) {
  return {happened.when, happened.pc(), known(happened.kind(), OpKind::kCount), happened.late()};
}

// A thread's chunks are in the order in which it took them; `steps` of its entry says how many it filled.
void read_parallel_order(const wire::Layout& layout, RunRecord& record) {
  std::vector<ParallelThread> threads(record.threads.size());
  for (uint32_t t = 0; t < threads.size(); ++t) {
    threads[t].ordinal = t;
    threads[t].pending = {0, record.threads[t].pending.pc, record.threads[t].pending.kind, false};
  }
  const uint32_t taken = once(layout.state.chunks);
  record.decisions_cut = taken > wire::kMaxChunks;
  for (uint32_t chunk = 0; chunk < std::min(taken, wire::kMaxChunks); ++chunk) {
    const uint32_t owner = once(layout.chunk_owner[chunk]);
    if (owner >= threads.size()) continue;
    std::vector<ParallelStep>& steps = threads[owner].steps;
    const uint64_t left = record.threads[owner].steps - std::min<uint64_t>(record.threads[owner].steps, steps.size());
    for (uint32_t i = 0; i < std::min<uint64_t>(left, wire::kChunk); ++i)
      steps.push_back(step_of(layout.happened[chunk][i]));
  }
  record.decisions = serial_order(threads);
  record.switches = record.decisions.size();
  record.decisions_cut |= record.decisions.size() > wire::kMaxDecisions;
}

// The ring's oldest event is at `written % size` once it has gone round.
void read_events(const wire::Layout& layout, RunRecord& record) {
  const uint64_t written = once(layout.state.events);
  record.events = copy(layout.events, written);
  if (written > wire::kMaxEvents) {
    record.events_lost = written - wire::kMaxEvents;
    const auto oldest = static_cast<std::ptrdiff_t>(written % wire::kMaxEvents);
    std::rotate(record.events.begin(), record.events.begin() + oldest, record.events.end());
  }
  for (wire::Event& event : record.events) check(event, record.frames.size());
}

void read_outcome(const wire::State& state, RunRecord& record) {
  record.outcome = known(once(state.outcome), OutcomeKind::kCount);
  record.exit_code = once(state.exit_code);
  record.signal = once(state.signal);
  record.failing_thread = thread_ordinal(once(state.failing_thread));
  record.fault_address = once(state.fault_address);
  record.fault_pc = once(state.fault_pc);
  record.random_addresses = once(state.random_addresses) != 0;
  record.expected = checked(state.expected);
  record.got = checked(state.got);
  record.message = text_of(state.message);
}

}  // namespace

std::vector<wire::Module> read_modules(const wire::Layout& layout) {
  std::vector<wire::Module> modules = copy(layout.modules, once(layout.state.modules));
  for (wire::Module& module : modules) {
    module.path[sizeof module.path - 1] = '\0';
    module.build_id_size = std::min<uint32_t>(module.build_id_size, sizeof module.build_id);
    if (module.end < module.begin) module.end = module.begin;
  }
  return modules;
}

void read_run(const wire::Layout& layout, uint64_t run, Detail detail, RunRecord& record) {
  const wire::State& state = layout.state;
  if (once(state.run) != run) return;
  record.steps = once(state.steps);
  record.accesses = once(state.accesses);
  record.switches = once(state.switches);
  record.decision_hash = once(state.decision_hash);
  record.created = once(state.created);
  record.most_live = once(state.most_live);
  record.parallel = once(state.parallel) != 0;
  record.turns = once(state.turns);
  const wire::Patched& patched = state.patched;
  record.patched = {once(patched.sites),    once(patched.patched),   once(patched.unread),
                    once(patched.refused),  once(patched.functions), once(patched.functions_patched),
                    once(patched.disputed), once(patched.matched)};
  record.hooked = state.hooked.load(std::memory_order_relaxed) != 0;
  record.deadlines = once(state.deadlines);
  record.timeouts = once(state.timeouts);
  record.overrides = once(state.overrides);
  record.passed_over = once(state.passed_over);
  record.chosen_deadlines = once(state.chosen_deadlines);
  const ChosenDeadline& chosen = state.chosen_deadline;
  record.chosen_deadline = {once(chosen.span), once(chosen.set_pc), once(chosen.other_pc), once(chosen.timer),
                            once(chosen.other)};
  record.obedience = known(once(state.obedience), Obedience::kCount);
  record.repeatable = once(state.irregular) == 0;
  read_outcome(state, record);
  if (detail == Detail::kCounters) return read_misuses(layout, record);
  record.frames = copy(layout.frames, once(state.frames));
  record.blocks = copy(layout.blocks, once(state.blocks));
  for (wire::HeapBlock& block : record.blocks) {
    check_ordinal(block.thread);
    block.depth = std::min(block.depth, static_cast<uint32_t>(std::size(block.frames)));
  }
  record.labels = copy(layout.labels, once(state.labels));
  for (wire::Label& label : record.labels) label.text[sizeof label.text - 1] = '\0';
  record.straddles = copy(layout.straddles, once(state.straddles));
  record.modules = read_modules(layout);
  read_threads(layout, record);
  read_held(layout, record);
  read_misuses(layout, record);
  record.parallel ? read_parallel_order(layout, record) : read_decisions(layout, record);
  read_events(layout, record);
}

}  // namespace snarl::record
