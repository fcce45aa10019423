// The rows of the schedule table, from the events of a traced run. Internal to diagnose.cc.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explain/diagnose/names.h"
#include "schedule/ordinal.h"

namespace snarl::explain {

inline Act act_of(const Event& e) {
  return {.kind = e.kind,
          .after = e.after,
          .object = e.object,
          .second = is_memory_access(e.kind) ? e.block : second_of(e),
          .other = other_of(e),
          .result = e.result};
}

// A pending operation names another thread by its ordinal, as far as that fits: it is known if such a thread lives.
inline Act act_of(const Op& op, const std::vector<wire::Thread>& threads) {
  Act act{.kind = op.kind, .after = op.after, .object = op.object, .second = op.second, .other = op.thread};
  act.other_known = false;
  for (const wire::Thread& t : threads)
    if (t.ordinal == op.thread && t.phase == wire::ThreadPhase::kLive) act.other_known = true;
  return act;
}

// Timers have no code, so that in the log a switch may go by way of some: T1 t2 t3 T4. This is where
// the way that begins with decision `i` ends (again with a timer, if the log was cut there).
inline uint32_t end_of_way(const std::vector<Decision>& decisions, size_t i) {
  while (is_timer_ordinal(decisions[i].to) && i + 1 < decisions.size() && decisions[i + 1].from == decisions[i].to) ++i;
  return decisions[i].to;
}

inline report::FindingRow timeout_row(const Decision& d) {
  return {.step = d.step + 1,
          .thread = thread_ordinal(d.to),
          .operation = name_of(OpKind::kTimeout),
          .text = is_alarm_ordinal(d.to) ? "a timer expires" : "timed out"};
}

// Who holds what, while the events are walked.
class Holders {
 public:
  struct Hold {
    uint32_t thread = 0;
    size_t event = 0;  // that took it
    bool reading = false;
  };

  void perform(const Event& e, size_t index) {
    if (e.kind == OpKind::kReacquire) return take(second_of(e), {e.thread, index, false});
    if (e.kind == OpKind::kWait && e.result == 0) return release(second_of(e), e.thread);
    if (e.result != 0) return;
    switch (e.kind) {
      case OpKind::kLock:
      case OpKind::kTryLock:
      case OpKind::kWriteLock:
      case OpKind::kTryWriteLock: return take(e.object, {e.thread, index, false});
      case OpKind::kReadLock:
      case OpKind::kTryReadLock: return take(e.object, {e.thread, index, true});
      case OpKind::kUnlock:
      case OpKind::kRwUnlock: return release(e.object, e.thread);
      default: return;
    }
  }

  const std::vector<Hold>& of(uint64_t object) const {
    static const std::vector<Hold> nobody;
    const auto at = holds_.find(object);
    return at == holds_.end() ? nobody : at->second;
  }
  // Held, and only by readers.
  bool is_read(uint64_t object) const { return !of(object).empty() && std::ranges::all_of(of(object), &Hold::reading); }
  // In the order in which they were taken.
  std::vector<Hold> of_thread(uint32_t thread) const {
    std::vector<Hold> result;
    for (const auto& [object, holds] : holds_)
      for (const Hold& hold : holds)
        if (hold.thread == thread) result.push_back(hold);
    std::ranges::sort(result, {}, &Hold::event);
    return result;
  }

 private:
  void take(uint64_t object, const Hold& hold) { holds_[object].push_back(hold); }

  // The last of its own; a lock of somebody else may be unlocked, too.
  void release(uint64_t object, uint32_t thread) {
    const auto at = holds_.find(object);
    if (at == holds_.end()) return;
    std::vector<Hold>& holds = at->second;
    const auto own = std::find_if(holds.rbegin(), holds.rend(), [&](const Hold& h) { return h.thread == thread; });
    holds.erase(own == holds.rend() ? holds.end() - 1 : own.base() - 1);
    if (holds.empty()) holds_.erase(at);
  }

  std::unordered_map<uint64_t, std::vector<Hold>> holds_;
};

class Rows {
 public:
  Rows(const record::RunRecord& record, Places& places, Wording& wording)
      : r_(record), places_(places), wording_(wording) {
    next_.resize(r_.events.size(), r_.events.size());
    std::unordered_map<uint32_t, size_t> later;
    for (size_t i = r_.events.size(); i-- > 0;) {
      const auto at = later.find(r_.events[i].thread);
      if (at != later.end()) next_[i] = at->second;
      later[r_.events[i].thread] = i;
    }
  }

  // All events with the switches between them, then what was never granted.
  std::vector<report::FindingRow> build() {
    for (size_t i = 0; i < r_.events.size(); ++i) {
      if (i > 0 && r_.events[i].switched != Reason::kNone) add_switch(i - 1, reason_of(i));
      if (r_.events[i].step != 0) add_timeouts(r_.events[i].step);
      add_step(i);
    }
    add_timeouts(~Step{0});
    if (r_.outcome == OutcomeKind::kDeadlock || r_.outcome == OutcomeKind::kHang) add_never_granted();
    return std::move(rows_);
  }

  // Where the threads of the switches had arrived, where the events tell it; one for each decision.
  std::vector<const report::Location*> switch_places(const std::vector<Decision>& decisions) const {
    std::vector<const report::Location*> result(decisions.size(), nullptr);
    size_t next = 0;
    if (r_.events_lost != 0) return result;
    for (size_t i = 0; i < decisions.size(); ++i) {
      if (is_timer_ordinal(decisions[i].from) || end_of_way(decisions, i) == decisions[i].from) continue;
      while (next < switch_places_.size() && switch_places_[next].first != decisions[i].from) ++next;
      if (next == switch_places_.size()) break;
      result[i] = &switch_places_[next++].second;
    }
    return result;
  }

  const Holders& holders() const { return holders_; }

  // The event that created `thread`; nullptr: not in the events.
  const Event* created(uint32_t thread) const {
    for (const Event& e : r_.events)
      if (e.kind == OpKind::kCreate && other_of(e) == thread) return &e;
    return nullptr;
  }

  // Where `thread` last took the mutex that it holds; nullptr: not in the events.
  const Event* taken(uint32_t thread, uint64_t object) const {
    const Event* last = nullptr;
    for (const Holders::Hold& hold : holders_.of(object))
      if (hold.thread == thread) last = &r_.events[hold.event];
    return last;
  }

  // "itself", "T2", "itself, T2, T3", "T2, T3, T4 and others"; empty: nobody, or not known.
  std::string holders_of(uint64_t object, uint32_t seen_by) const {
    std::vector<std::string> names;
    for (const Holders::Hold& hold : holders_.of(object)) {
      std::string name = hold.thread == seen_by ? "itself" : thread_name(hold.thread);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    std::partition(names.begin(), names.end(), [](const std::string& name) { return name == "itself"; });
    const bool more = names.size() > kMostHolders;
    if (more) names.resize(kMostHolders);
    return fmt::format("{}{}", fmt::join(names, ", "), more ? " and others" : "");
  }

 private:
  static constexpr size_t kMostHolders = 3;

  // The end by a return from main has no place in the program.
  report::Location place_of(const Event& e) {
    const report::Location place = places_.place(e.stack, e.pc);
    return e.kind == OpKind::kEndProcess && place.system ? report::Location() : place;
  }

  // Why the thread that ran before event `i` does not go on. Where timers fired in between, the first of
  // them was chosen for that reason: the runtime tells what held after the last one.
  Reason reason_of(size_t i) const {
    for (size_t d = next_timeout_; d < r_.decisions.size() && r_.decisions[d].step + 1 < r_.events[i].step; ++d)
      if (is_timer_ordinal(r_.decisions[d].to) && r_.decisions[d].from == r_.events[i - 1].thread)
        return r_.decisions[d].reason;
    return r_.events[i].switched;
  }

  // The timers that fired before that step.
  void add_timeouts(Step step) {
    for (; next_timeout_ < r_.decisions.size() && r_.decisions[next_timeout_].step + 1 < step; ++next_timeout_)
      if (is_timer_ordinal(r_.decisions[next_timeout_].to)) add_timeout(r_.decisions[next_timeout_]);
  }

  void add_timeout(const Decision& d) {
    report::FindingRow row = timeout_row(d);
    const auto before = std::ranges::find(rows_.rbegin(), rows_.rend(), row.thread, &report::FindingRow::thread);
    if (!is_alarm_ordinal(d.to) && before != rows_.rend() && before->operation == name_of(OpKind::kSleep))
      row.text = "sleep is over";
    rows_.push_back(std::move(row));
  }

  // The value that a futex wait was called with is no longer there: it returns at once.
  bool returns_at_once(size_t i) const {
    return r_.events[i].kind == OpKind::kFutexWait && next_[i] < r_.events.size() &&
           r_.events[next_[i]].kind != OpKind::kFutexWoken;
  }

  void add_step(size_t i) {
    const Event& e = r_.events[i];
    report::FindingRow row{.step = e.step, .thread = e.thread, .operation = name_of(e.kind), .text = {}};
    row.place = place_of(e);
    row.text = wording_.text(act_of(e), row.place);
    row.note = wording_.note(act_of(e), row.place);
    if (returns_at_once(i)) row.note = "value changed";
    rows_.push_back(std::move(row));
    holders_.perform(e, i);
  }

  // What the thread of event `i` had arrived at when it stopped: its next event, or what is still pending.
  std::pair<Act, report::Location> arrival(size_t i) {
    if (next_[i] < r_.events.size()) return {act_of(r_.events[next_[i]]), place_of(r_.events[next_[i]])};
    for (const wire::Thread& t : r_.threads)
      if (t.phase == wire::ThreadPhase::kLive && t.ordinal == r_.events[i].thread)
        return {act_of(t.pending, r_.threads), places_.place(t.stack, t.pending.pc)};
    return {};
  }

  // A run that was ended by a timeout leaves no pending operations: then the log has at least their kind.
  void set_waits_by_log(report::FindingRow& row, uint32_t thread, Step step) {
    for (size_t d = r_.decisions.size(); d-- > 0;) {
      if (r_.decisions[d].from != thread || r_.decisions[d].step != step) continue;
      row.text = "wait " + Wording::verb_of(r_.decisions[d].kind);
      row.place = places_.place(r_.decisions[d].pc);
      return;
    }
  }

  void add_switch(size_t i, Reason reason) {
    const auto [act, place] = arrival(i);
    switch_places_.emplace_back(r_.events[i].thread, place);
    report::FindingRow row{
        .thread = r_.events[i].thread, .operation = name_of(act.kind), .text = {}, .reason = name_of(reason)};
    row.text = reason == Reason::kPreempted ? "preempted by policy" : name_of(reason);
    if (reason == Reason::kBlocked) set_waits(row, act, place);
    if (reason == Reason::kBlocked && act.kind == OpKind::kNone) set_waits_by_log(row, row.thread, r_.events[i].step);
    if (reason == Reason::kYielded && is_yield(r_.events[i].kind)) row.place = place_of(r_.events[i]);
    rows_.push_back(std::move(row));
  }

  void set_waits(report::FindingRow& row, const Act& act, const report::Location& place) {
    if (act.kind == OpKind::kNone) return;
    row.text = wording_.waits_short(act, place);
    row.note = Wording::waits_note(act);
    if (!is_second_half(act.kind)) row.place = place;  // else the row above it has the place
    if (const std::string who = holders_of(act.object, row.thread); !who.empty()) row.note = "held by " + who;
    if (act.kind == OpKind::kReadLock && holders_.is_read(act.object)) row.note = "a writer is waiting";
  }

  static bool is_second_half(OpKind kind) {
    return kind == OpKind::kReacquire || kind == OpKind::kBarrierPass || kind == OpKind::kFutexWoken;
  }

  void add_never_granted() {
    std::unordered_map<uint32_t, size_t> last;
    for (size_t i = 0; i < rows_.size(); ++i) last[rows_[i].thread] = i;
    for (const wire::Thread& t : r_.threads) {
      if (t.phase != wire::ThreadPhase::kLive || t.enabled != 0) continue;
      const auto at = last.find(t.ordinal);
      if (at != last.end() && rows_[at->second].reason == name_of(Reason::kBlocked)) continue;
      report::FindingRow row{.thread = t.ordinal, .operation = name_of(t.pending.kind), .text = {}, .granted = false};
      set_waits(row, act_of(t.pending, r_.threads), places_.place(t.stack, t.pending.pc));
      rows_.push_back(std::move(row));
    }
  }

  const record::RunRecord& r_;
  Places& places_;
  Wording& wording_;
  std::vector<size_t> next_;  // of each event: the same thread's next one
  std::vector<report::FindingRow> rows_;
  std::vector<std::pair<uint32_t, report::Location>> switch_places_;  // who stopped where
  Holders holders_;
  size_t next_timeout_ = 0;  // the first decision that is not in the rows yet
};

}  // namespace snarl::explain
