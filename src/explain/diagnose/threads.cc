#include "explain/diagnose/threads.h"

#include <algorithm>
#include <cstring>

#include "explain/signature.h"
#include "schedule/ordinal.h"

namespace snarl::explain {
namespace {

using report::Doing;
using report::Holder;
using report::Holding;
using report::ThreadState;

// By the watchdog: a yield that it did not call, at the place where it was just then.
bool was_stopped(const Event& e) { return e.kind == OpKind::kYield && e.stack == 0 && e.pc != 0; }

Holding holding(wire::HeldAs as) {
  if (as == wire::HeldAs::kMutex) return Holding::kOwned;
  return as == wire::HeldAs::kReading ? Holding::kReading : Holding::kWriting;
}

}  // namespace

bool fails_in_one_thread(OutcomeKind kind) {
  return has_reason(kind) || kind == OutcomeKind::kSignal || kind == OutcomeKind::kExit;
}

uint32_t last_to_run(const record::RunRecord& r) {
  if (!r.events.empty()) return r.events.back().thread;
  return r.decisions.empty() ? 0 : thread_ordinal(r.decisions.back().to);
}

report::FindingThread ThreadStates::describe(const wire::Thread& t) {
  report::FindingThread result{.ordinal = t.ordinal};
  result.label = label(t);
  result.steps = t.steps;
  if (t.ordinal != 0) set_creator(t, result);
  result.state = state(t);
  if (t.phase != wire::ThreadPhase::kLive || misuse_of(r_) != nullptr) return result;
  result.stack = places_.stack(stack_of(t));
  result.place = result.state == ThreadState::kFailed ? places_.fault_place(stack_of(t)) : places_.place(stack_of(t));
  if (t.pending.kind == OpKind::kEndProcess && result.place.system) result.stack = {}, result.place = {};
  if (r_.outcome == OutcomeKind::kTimeout)
    set_last_step(t, result);
  else
    set_pending(t, result);
  set_holds(t, result);
  set_rwlocks(t, result);
  return result;
}

void ThreadStates::set_creator(const wire::Thread& t, report::FindingThread& result) {
  const Event* e = rows_.created(t.ordinal);
  result.creator = t.creator;
  result.created_at = e != nullptr ? places_.place(stack_of(*e)) : places_.place(t.create_pc);
}

ThreadState ThreadStates::state(const wire::Thread& t) const {
  if (t.phase != wire::ThreadPhase::kLive) return ThreadState::kEnded;
  if (misuse_of(r_) != nullptr) return ThreadState::kUnknown;
  if (r_.outcome == OutcomeKind::kLivelock && t.enabled != 0) return ThreadState::kSpinning;
  if (fails_in_one_thread(r_.outcome) && t.ordinal == r_.failing_thread) return ThreadState::kFailed;
  if (r_.outcome == OutcomeKind::kTimeout)
    return t.ordinal == last_to_run(r_) ? ThreadState::kRunning : ThreadState::kUnknown;
  return t.enabled != 0 ? ThreadState::kReady : ThreadState::kBlocked;
}

// pthread_setname_np's, or else the function that it runs.
std::string ThreadStates::label(const wire::Thread& t) {
  const std::string given(t.label, strnlen(t.label, sizeof t.label));
  if (!given.empty() || t.ordinal == 0) return given;
  if (const std::string start = places_.function_at(t.start_pc); !start.empty()) return start;
  if (const size_t depth = r_.stack(t.stack).size(); depth > 0 && depth < wire::kStackDepth)
    if (const std::string entry = places_.entry(stack_of(t)); !entry.empty()) return entry;
  for (const Event& e : r_.events)  // -O0 puts more wrappers around a thread than an event's stack holds
    if (e.thread == t.ordinal && e.stack != 0)
      if (const std::string entry = places_.entry(stack_of(e)); !entry.empty()) return entry;
  return "";
}

void ThreadStates::set_last_step(const wire::Thread& t, report::FindingThread& result) {
  const bool running = result.state == ThreadState::kRunning;
  result.doing = running ? Doing::kHadTurn : r_.events.empty() ? Doing::kNothing : Doing::kNotStarted;
  const auto event =
      std::find_if(r_.events.rbegin(), r_.events.rend(), [&](const Event& e) { return e.thread == t.ordinal; });
  if (event != r_.events.rend()) set_last_event(*event, result);
  const auto stop =
      std::find_if(r_.decisions.rbegin(), r_.decisions.rend(), [&](const Decision& d) { return d.from == t.ordinal; });
  if (running || stop == r_.decisions.rend() || stop->kind == OpKind::kAfter) return;
  result.doing = Doing::kStoppedAt;
  result.act = ObjectTable::only(stop->kind);
  if (const report::Location place = places_.place(stop->pc); !place.system && !place.file.empty())
    result.place = place, result.stack = {place};
}

void ThreadStates::set_last_event(const Event& event, report::FindingThread& result) {
  const bool running = result.state == ThreadState::kRunning;
  result.place = places_.place(stack_of(event));
  result.stack = places_.stack(stack_of(event));
  result.act = objects_.performed(act_of(event), result.place);
  result.doing = !running ? Doing::kLastStep : was_stopped(event) ? Doing::kComputes : Doing::kHadTurnAfter;
}

void ThreadStates::set_pending(const wire::Thread& t, report::FindingThread& result) {
  const Act act = act_of(t.pending, r_.threads);
  if (act.kind == OpKind::kNone || result.state == ThreadState::kFailed) return;
  result.act = objects_.pending(act, result.place);
  result.doing = Doing::kPending;
  if (result.state == ThreadState::kSpinning) result.doing = loops(t) ? Doing::kLoops : Doing::kSpins;
  if (result.state == ThreadState::kBlocked) set_wait(t, result);
}

void ThreadStates::set_wait(const wire::Thread& t, report::FindingThread& result) {
  result.doing = Doing::kWaits;
  switch (t.pending.kind) {
    case OpKind::kBarrierPass: return set_arrived(t.pending, result);
    case OpKind::kLock:
    case OpKind::kTryLock: return set_holder(t.pending.object, t, result);
    case OpKind::kReadLock:
    case OpKind::kWriteLock: return set_rwlock_holder(t, result);
    case OpKind::kOnce: return set_once_runner(t, result);
    default: return;
  }
}

// It was stopped in a loop without a point, instead of coming to what is pending.
bool ThreadStates::loops(const wire::Thread& t) const {
  const bool stopped = t.pending.kind == OpKind::kYield && t.pending.pc == 0;
  return r_.fault_pc != 0 && (stopped || t.ordinal == r_.failing_thread);
}

// Those who have come wait, all of them.
void ThreadStates::set_arrived(const Op& op, report::FindingThread& result) const {
  for (const wire::Thread& t : r_.threads)
    result.arrived += t.phase == wire::ThreadPhase::kLive && t.enabled == 0 && t.pending.kind == OpKind::kBarrierPass &&
                      t.pending.object == op.object;
  if (op.value > result.arrived) result.expected = op.value;
}

// Itself, if it is one of several.
void ThreadStates::set_holder(uint64_t object, const wire::Thread& t, report::FindingThread& result) const {
  for (const wire::Held& held : r_.held)
    if (held.object == object && (result.held_by == kNobody || held.owner == t.ordinal)) result.held_by = held.owner;
}

// The wire tells only some of those who hold a read-write lock; the events tell all.
void ThreadStates::set_rwlock_holder(const wire::Thread& t, report::FindingThread& result) const {
  const std::vector<Holders::Hold>& holds = rows_.holders().of(t.pending.object);
  const bool reads = t.pending.kind == OpKind::kReadLock;
  if (reads && rows_.holders().is_read(t.pending.object)) return set_writer_ahead(t, result);
  for (const Holders::Hold& hold : holds)
    if (result.held_by == kNobody || hold.thread == t.ordinal) result.held_by = hold.thread;
  if (holds.empty()) set_holder(t.pending.object, t, result);
  if (result.held_by == kNobody) result.holder = reads ? Holder::kUnnamedWriter : Holder::kUnnamed;
}

// Readers may go together, unless the lock lets a writer go first that waits.
void ThreadStates::set_writer_ahead(const wire::Thread& t, report::FindingThread& result) const {
  for (const wire::Thread& other : r_.threads) {
    const bool ahead = other.phase == wire::ThreadPhase::kLive && other.pending.kind == OpKind::kWriteLock &&
                       other.pending.object == t.pending.object;
    if (!ahead || other.ordinal == t.ordinal) continue;
    result.held_by = other.ordinal;
    result.holder = Holder::kWriterAhead;
    return;
  }
}

// The last to have got in is still inside.
void ThreadStates::set_once_runner(const wire::Thread& t, report::FindingThread& result) const {
  const auto event = std::find_if(r_.events.rbegin(), r_.events.rend(), [&](const Event& e) {
    return e.kind == OpKind::kOnce && e.object == t.pending.object && e.thread != t.ordinal;
  });
  if (event == r_.events.rend()) return;
  result.held_by = event->thread;
  result.holder = Holder::kOnceRunner;
}

void ThreadStates::set_rwlocks(const wire::Thread& t, report::FindingThread& result) {
  for (const Holders::Hold& hold : rows_.holders().of_thread(t.ordinal)) {
    const Event& e = r_.events[hold.event];
    if (object_of(e.kind) != ObjectKind::kRwlock) continue;
    const report::Location place = places_.place(stack_of(e));
    const uint32_t object = objects_.object(e.object, ObjectKind::kRwlock, place);
    if (std::ranges::find(result.holds, object, &report::FindingHeld::object) != result.holds.end()) continue;
    result.holds.push_back(
        {object, place, places_.stack(stack_of(e)), hold.reading ? Holding::kReading : Holding::kWriting});
  }
}

void ThreadStates::set_holds(const wire::Thread& t, report::FindingThread& result) {
  for (const wire::Held& held : r_.held) {
    if (held.owner != t.ordinal) continue;
    const Event* taken = rows_.taken(t.ordinal, held.object);
    const StackRef stack{taken != nullptr ? uint32_t{taken->stack} : 0, held.pc};
    const report::Location place = places_.place(stack);
    const ObjectKind kind = held.as == wire::HeldAs::kMutex ? ObjectKind::kMutex : ObjectKind::kRwlock;
    result.holds.push_back({objects_.object(held.object, kind, place), place, places_.stack(stack), holding(held.as)});
  }
}

}  // namespace snarl::explain
