// What a thread was doing when the run ended, in words. Internal to diagnose.cc.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "explain/diagnose/rows.h"
#include "explain/signature.h"

namespace snarl::explain {

inline bool fails_in_one_thread(OutcomeKind kind) {
  return has_reason(kind) || kind == OutcomeKind::kSignal || kind == OutcomeKind::kExit;
}

class ThreadWords {
 public:
  // `rows` must have been built when a thread is described: its events tell who holds what.
  ThreadWords(const record::RunRecord& record, Places& places, Wording& wording, Rows& rows)
      : r_(record), places_(places), wording_(wording), rows_(rows) {}

  report::FindingThread describe(const wire::Thread& t) {
    report::FindingThread result{.ordinal = t.ordinal, .name = thread_name(t.ordinal)};
    result.label = label(t);
    result.steps = t.steps;
    if (t.ordinal != 0) set_creator(t, result);
    result.state = state(t);
    if (t.phase != wire::ThreadPhase::kLive || misuse_of(r_) != nullptr) return result;
    result.stack = places_.stack(t.stack, t.pending.pc);
    result.place =
        result.state == "failed" ? places_.fault_place(t.stack, t.pending.pc) : places_.place(t.stack, t.pending.pc);
    if (t.pending.kind == OpKind::kEndProcess && result.place.system) result.stack = {}, result.place = {};
    if (r_.outcome == OutcomeKind::kTimeout)
      set_last_step(t, result);
    else
      set_pending(t, result);
    set_holds(t, result);
    set_rwlocks(t, result);
    return result;
  }

  // A program that is ended by the timeout tells nothing more: these are what is known.
  uint32_t last_to_run() const {
    if (!r_.events.empty()) return r_.events.back().thread;
    return r_.decisions.empty() ? 0 : thread_ordinal(r_.decisions.back().to);
  }

 private:
  void set_creator(const wire::Thread& t, report::FindingThread& result) {
    const Event* e = rows_.created(t.ordinal);
    result.creator = thread_name(t.creator);
    result.created_at = e != nullptr ? places_.place(e->stack, e->pc) : places_.place(t.create_pc);
  }

  std::string state(const wire::Thread& t) const {
    if (t.phase != wire::ThreadPhase::kLive) return "ended";
    if (misuse_of(r_) != nullptr) return "unknown";
    if (r_.outcome == OutcomeKind::kLivelock && t.enabled != 0) return "spinning";
    if (fails_in_one_thread(r_.outcome) && t.ordinal == r_.failing_thread) return "failed";
    if (r_.outcome == OutcomeKind::kTimeout) return t.ordinal == last_to_run() ? "running" : "unknown";
    return t.enabled != 0 ? "ready" : "blocked";
  }

  void set_last_step(const wire::Thread& t, report::FindingThread& result) {
    const bool running = result.state == "running";
    result.waits = running ? "had the turn" : r_.events.empty() ? "" : "had not started";
    const auto event =
        std::find_if(r_.events.rbegin(), r_.events.rend(), [&](const Event& e) { return e.thread == t.ordinal; });
    if (event != r_.events.rend()) {
      result.place = places_.place(event->stack, event->pc);
      result.stack = places_.stack(event->stack, event->pc);
      result.waits =
          (running ? "had the turn, last step: " : "last step: ") + wording_.text(act_of(*event), result.place);
      if (running && was_stopped(*event)) result.waits = "had the turn, computes or loops";
    }
    const auto stop = std::find_if(r_.decisions.rbegin(), r_.decisions.rend(),
                                   [&](const Decision& d) { return d.from == t.ordinal; });
    if (running || stop == r_.decisions.rend() || stop->kind == OpKind::kAfter) return;
    result.waits = "stopped at " + Wording::verb_of(stop->kind);
    if (const report::Location place = places_.place(stop->pc); !place.system && !place.file.empty())
      result.place = place, result.stack = {place};
  }

  // By the watchdog: a yield that it did not call, at the place where it was just then.
  static bool was_stopped(const Event& e) { return e.kind == OpKind::kYield && e.stack == 0 && e.pc != 0; }

  // pthread_setname_np's, or else the function that it runs.
  std::string label(const wire::Thread& t) {
    const std::string given(t.label, strnlen(t.label, sizeof t.label));
    if (!given.empty() || t.ordinal == 0) return given;
    if (const std::string start = places_.function_at(t.start_pc); !start.empty()) return start;
    if (const size_t depth = r_.stack(t.stack).size(); depth > 0 && depth < wire::kStackDepth)
      if (const std::string entry = places_.entry(t.stack); !entry.empty()) return entry;
    for (const Event& e : r_.events)  // -O0 puts more wrappers around a thread than an event's stack holds
      if (e.thread == t.ordinal && e.stack != 0)
        if (const std::string entry = places_.entry(e.stack); !entry.empty()) return entry;
    return "";
  }

  void set_pending(const wire::Thread& t, report::FindingThread& result) {
    const Act act = act_of(t.pending, r_.threads);
    if (act.kind == OpKind::kNone || result.state == "failed") return;
    result.pending = wording_.text(act, result.place);
    if (result.state == "spinning") result.waits = loops(t) ? "loops for ever" : "spins: " + result.pending;
    if (result.state != "blocked") return;
    result.waits = wording_.waits(act, result.place);
    result.waits_for = wording_.target(act, result.place);
    if (act.kind == OpKind::kBarrierPass) result.waits += arrived_text(t.pending);
    if (act.kind == OpKind::kLock || act.kind == OpKind::kTryLock) set_holder(act.object, t, result);
    if (act.kind == OpKind::kReadLock || act.kind == OpKind::kWriteLock) set_rwlock_holder(t, result);
    if (act.kind == OpKind::kOnce) set_once_runner(t, result);
  }

  // It was stopped in a loop without a point, instead of coming to what is pending.
  bool loops(const wire::Thread& t) const {
    const bool stopped = t.pending.kind == OpKind::kYield && t.pending.pc == 0;
    return r_.fault_pc != 0 && (stopped || t.ordinal == r_.failing_thread);
  }

  // " (1 of 3 have arrived)": those who have come wait, all of them.
  std::string arrived_text(const Op& op) const {
    uint64_t arrived = 0;
    for (const wire::Thread& t : r_.threads)
      arrived += t.phase == wire::ThreadPhase::kLive && t.enabled == 0 && t.pending.kind == OpKind::kBarrierPass &&
                 t.pending.object == op.object;
    if (op.value <= arrived) return "";
    return fmt::format(" ({} of {} {} arrived)", arrived, op.value, arrived == 1 ? "has" : "have");
  }

  // Itself, if it is one of several.
  void set_holder(uint64_t object, const wire::Thread& t, report::FindingThread& result) {
    for (const wire::Held& held : r_.held)
      if (held.object == object && (result.held_by.empty() || held.owner == t.ordinal))
        result.held_by = thread_name(held.owner);
  }

  // The wire tells only some of those who hold a read-write lock; the events tell all.
  void set_rwlock_holder(const wire::Thread& t, report::FindingThread& result) {
    const std::vector<Holders::Hold>& holds = rows_.holders().of(t.pending.object);
    if (t.pending.kind == OpKind::kReadLock && rows_.holders().is_read(t.pending.object))
      return set_writer_ahead(t, result);
    for (const Holders::Hold& hold : holds)
      if (result.held_by.empty() || hold.thread == t.ordinal) result.held_by = thread_name(hold.thread);
    if (holds.empty()) set_holder(t.pending.object, t, result);
    if (result.held_by.empty()) result.waits += t.pending.kind == OpKind::kReadLock ? " (held for writing)" : " (held)";
  }

  // Readers may go together, unless the lock lets a writer go first that waits.
  void set_writer_ahead(const wire::Thread& t, report::FindingThread& result) {
    for (const wire::Thread& other : r_.threads) {
      const bool ahead = other.phase == wire::ThreadPhase::kLive && other.pending.kind == OpKind::kWriteLock &&
                         other.pending.object == t.pending.object;
      if (!ahead || other.ordinal == t.ordinal) continue;
      result.held_by = thread_name(other.ordinal);
      result.waits += ", behind the writer " + result.held_by;
      return;
    }
  }

  // The last to have got in is still inside.
  void set_once_runner(const wire::Thread& t, report::FindingThread& result) {
    const auto event = std::find_if(r_.events.rbegin(), r_.events.rend(), [&](const Event& e) {
      return e.kind == OpKind::kOnce && e.object == t.pending.object && e.thread != t.ordinal;
    });
    if (event == r_.events.rend()) return;
    result.held_by = thread_name(event->thread);
    result.waits += ", run by " + result.held_by;
  }

  void set_rwlocks(const wire::Thread& t, report::FindingThread& result) {
    for (const Holders::Hold& hold : rows_.holders().of_thread(t.ordinal)) {
      const Event& e = r_.events[hold.event];
      if (std::string_view("rwlock") != object_kind(e.kind)) continue;
      const report::Location place = places_.place(e.stack, e.pc);
      const std::string name = wording_.rwlock(e.object, place);
      if (std::ranges::find(result.holds, name, &report::HeldObject::object) != result.holds.end()) continue;
      result.holds.push_back({name, place, places_.stack(e.stack, e.pc), hold.reading ? "reading" : "writing"});
    }
  }

  void set_holds(const wire::Thread& t, report::FindingThread& result) {
    for (const wire::Held& held : r_.held) {
      if (held.owner != t.ordinal) continue;
      const Event* taken = rows_.taken(t.ordinal, held.object);
      const uint32_t stack = taken != nullptr ? taken->stack : 0;
      const report::Location place = places_.place(stack, held.pc);
      const bool mutex = held.as == wire::HeldAs::kMutex;
      result.holds.push_back({mutex ? wording_.mutex(held.object, place) : wording_.rwlock(held.object, place), place,
                              places_.stack(stack, held.pc),
                              mutex                               ? ""
                              : held.as == wire::HeldAs::kReading ? "reading"
                                                                  : "writing"});
    }
  }

  const record::RunRecord& r_;
  Places& places_;
  Wording& wording_;
  Rows& rows_;
};

}  // namespace snarl::explain
