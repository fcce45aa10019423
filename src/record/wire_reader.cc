#include "record/wire_reader.h"

#include <algorithm>
#include <cstring>
#include <numeric>

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

// Only decisions speak of timers.
void check_ordinal(uint32_t& ordinal) { ordinal = thread_ordinal(ordinal); }

void check_stack(uint32_t& id, const RunRecord& record) { id = id <= record.stacks.size() ? id : 0; }

void check(Event& event, const RunRecord& record) {
  event.kind = known(event.kind, OpKind::kCount);
  event.after = known(event.after, OpKind::kCount);
  event.order = known(MemoryOrder{event.order}, MemoryOrder::kCount);
  event.switched = known(Reason{event.switched}, Reason::kCount);
  if (event.stack > record.stacks.size()) event.stack = 0;
  if (event.block > record.blocks.size()) event.block = 0;
}

void check(wire::Thread& thread, const RunRecord& record) {
  check_ordinal(thread.ordinal);
  check_ordinal(thread.creator);
  if (thread.phase > wire::ThreadPhase::kEnded) thread.phase = wire::ThreadPhase::kUnused;
  thread.pending.kind = known(thread.pending.kind, OpKind::kCount);
  thread.pending.after = known(thread.pending.after, OpKind::kCount);
  if (thread.pending.mutex > MutexKind::kErrorCheck) thread.pending.mutex = MutexKind::kNormal;
  if (thread.pending.thread >= kMaxThreads) thread.pending.thread = kNoThread;
  thread.label[sizeof thread.label - 1] = '\0';
  check_stack(thread.stack, record);
}

void read_threads(const wire::Layout& layout, RunRecord& record) {
  record.threads = copy(layout.threads, once(layout.state.threads));
  for (wire::Thread& thread : record.threads) check(thread, record);
}

void read_held(const wire::Layout& layout, RunRecord& record) {
  record.held = copy(layout.held, once(layout.state.held));
  for (wire::Held& held : record.held) {
    check_ordinal(held.owner);
    if (held.as > wire::HeldAs::kWriting) held.as = wire::HeldAs::kMutex;
  }
}

void check(WeakOrder& weak) {
  weak.load = known(weak.load, MemoryOrder::kCount);
  weak.store = known(weak.store, MemoryOrder::kCount);
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
    check_stack(m.stack, record);
    check_stack(m.other_stack, record);
    check(m.weak);
  }
}

void read_races(const wire::Layout& layout, RunRecord& record) {
  record.races = copy(layout.races, once(layout.state.races));
  record.races_cut = once(layout.state.races_cut) != 0;
  for (wire::RaceEntry& race : record.races) {
    race.op = known(race.op, OpKind::kCount);
    race.other_op = known(race.other_op, OpKind::kCount);
    check_ordinal(race.thread);
    check_ordinal(race.other);
    check(race.weak);
  }
}

void read_decisions(const wire::Layout& layout, RunRecord& record) {
  record.decisions = copy(layout.decisions, once(layout.state.decisions));
  for (Decision& d : record.decisions) d = checked(d);
  record.decisions_cut = record.switches > record.decisions.size();
}

std::vector<Event> pending_of(const std::vector<wire::Thread>& threads) {
  std::vector<Event> pending(threads.size());
  for (size_t i = 0; i < threads.size(); ++i) {
    pending[i].kind = threads[i].pending.kind;
    pending[i].pc = threads[i].pending.pc;
  }
  return pending;
}

// A thread's chunks are in the order in which it took them; `steps` of its entry says how many events it wrote. Whose
// they are is what the chunk says.
void read_chunks(const wire::Layout& layout, RunRecord& record) {
  const uint32_t chunks = std::min(once(layout.state.chunks), wire::kMaxChunks);
  std::vector<uint64_t> left;
  record.events.clear();
  for (const wire::Thread& thread : record.threads) left.push_back(thread.steps);
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    const uint32_t owner = once(layout.chunk_owner[chunk]);
    if (owner >= left.size()) continue;
    const uint64_t count = std::min<uint64_t>(left[owner], wire::kChunk);
    const Event* first = layout.events + size_t{chunk} * wire::kChunk;
    record.events.insert(record.events.end(), first, first + count);
    for (auto event = record.events.end() - static_cast<std::ptrdiff_t>(count); event != record.events.end(); ++event)
      event->thread = owner & Event::kMostThreads;
    left[owner] -= count;
  }
  record.events_lost = std::accumulate(left.begin(), left.end(), uint64_t{0});
}

void read_parallel_order(const wire::Layout& layout, RunRecord& record) {
  read_chunks(layout, record);
  for (Event& event : record.events) check(event, record);
  sort_by_time(record.events);
  record.decisions = serial_order(record.events, pending_of(record.threads));
  record.switches = record.decisions.size();
  record.decisions_cut = once(layout.state.chunks) > wire::kMaxChunks || record.decisions.size() > wire::kMaxDecisions;
}

// The oldest event is at `written % size` once there were more than that.
void read_events(const wire::Layout& layout, RunRecord& record) {
  const uint64_t written = once(layout.state.events);
  const uint64_t oldest = written > wire::kMaxEvents ? written % wire::kMaxEvents : 0;
  const uint64_t kept = std::min<uint64_t>(written, wire::kMaxEvents);
  record.events.assign(layout.events + oldest, layout.events + kept);
  record.events.insert(record.events.end(), layout.events, layout.events + oldest);
  record.events_lost = written - kept;
  for (Event& event : record.events) check(event, record);
}

// Ids stay what they are, so that a stack that is not there becomes an empty one.
void read_stacks(const wire::Layout& layout, RunRecord& record) {
  record.frames = copy(layout.frames, once(layout.state.frames));
  record.stacks = copy(layout.stacks, once(layout.state.stacks));
  for (StackEntry& stack : record.stacks) {
    stack.first = std::min(stack.first, static_cast<uint32_t>(record.frames.size()));
    stack.depth = std::min({stack.depth, wire::kStackDepth, static_cast<uint32_t>(record.frames.size()) - stack.first});
  }
}

void read_own_stacks(const wire::State& state, RunRecord& record) {
  for (size_t i = 0; i < record.own_stacks.size(); ++i) {
    const OwnStacks& own = state.own_stacks[i];
    record.own_stacks[i] = {once(own.size), once(own.guard_size), std::min<uint32_t>(once(own.at_once), kMaxThreads),
                            once(own.threads)};
  }
}

void read_outcome(const wire::State& state, RunRecord& record) {
  const ChosenDeadline& chosen = state.chosen_deadline;
  record.chosen_deadline = {once(chosen.span), once(chosen.set_pc), once(chosen.other_pc), once(chosen.timer),
                            once(chosen.other)};
  record.failing_thread = thread_ordinal(once(state.failing_thread));
  record.fault_address = once(state.fault_address);
  record.fault_pc = once(state.fault_pc);
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

void read_counters(const wire::State& state, RunRecord& record) {
  record.steps = once(state.steps);
  record.accesses = once(state.accesses);
  record.switches = once(state.switches);
  record.decision_hash = once(state.decision_hash);
  record.order_hash = once(state.order_hash);
  record.created = once(state.created);
  record.at_once = once(state.at_once);
  read_own_stacks(state, record);
  record.turns = once(state.turns);
  record.deadlines = once(state.deadlines);
  record.timeouts = once(state.timeouts);
  record.overrides = once(state.overrides);
  record.passed_over = once(state.passed_over);
  record.waiting_rounds = once(state.waiting_rounds);
  record.chosen_deadlines = once(state.chosen_deadlines);
  record.obedience = known(once(state.obedience), Obedience::kCount);
  record.repeatable = once(state.irregular) == 0;
  record.outcome = known(once(state.outcome), OutcomeKind::kCount);
  record.exit_code = once(state.exit_code);
  record.signal = once(state.signal);
  record.met_races = once(state.races);
}

void read_patched(const wire::State& state, RunRecord& record) {
  const wire::Patched& patched = state.patched;
  record.patched = {once(patched.sites),    once(patched.patched),   once(patched.unread),
                    once(patched.refused),  once(patched.functions), once(patched.functions_patched),
                    once(patched.disputed), once(patched.matched)};
  record.hooked = state.hooked.load(std::memory_order_relaxed) != 0;
  record.random_addresses = once(state.random_addresses) != 0;
}

void read_run(const wire::Layout& layout, uint64_t run, Detail detail, RunRecord& record) {
  const wire::State& state = layout.state;
  if (once(state.run) != run) return;
  read_counters(state, record);
  read_patched(state, record);
  record.parallel = once(state.parallel) != 0;
  read_outcome(state, record);
  read_races(layout, record);
  if (detail == Detail::kCounters) return read_misuses(layout, record);
  read_stacks(layout, record);
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
  if (record.parallel) return read_parallel_order(layout, record);
  read_decisions(layout, record);
  read_events(layout, record);
}

}  // namespace snarl::record
