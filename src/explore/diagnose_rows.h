// The rows of the schedule table, from the events of a traced run. Internal to diagnose.cc.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/diagnose_names.h"

namespace snarl {

inline Act act_of(const wire::Event& e) {
  return {
      .kind = e.kind, .after = e.after, .object = e.object, .second = e.second, .other = e.other, .result = e.result};
}

// A pending operation names another thread by its slot. While no slot was used twice that is the
// ordinal; a slot whose first thread has ended may belong to a later one, so then it isn't known.
inline Act act_of(const Op& op, const std::vector<wire::Thread>& threads) {
  Act act{.kind = op.kind, .after = op.after, .object = op.object, .second = op.second, .other = op.thread};
  act.other_known = false;
  for (const wire::Thread& t : threads)
    if (t.ordinal == op.thread && t.phase == wire::ThreadPhase::kLive) act.other_known = true;
  return act;
}

class Rows {
 public:
  Rows(const RunRecord& record, Places& places, Wording& wording) : r_(record), places_(places), wording_(wording) {
    next_.resize(r_.events.size(), r_.events.size());
    std::unordered_map<uint32_t, size_t> later;
    for (size_t i = r_.events.size(); i-- > 0;) {
      const auto at = later.find(r_.events[i].thread);
      if (at != later.end()) next_[i] = at->second;
      later[r_.events[i].thread] = i;
    }
  }

  // All events with the switches between them, then what was never granted.
  std::vector<FindingRow> build() {
    for (size_t i = 0; i < r_.events.size(); ++i) {
      if (i > 0 && r_.events[i].switched != Reason::kNone) add_switch(i - 1, r_.events[i].switched);
      add_step(r_.events[i]);
    }
    if (r_.outcome == OutcomeKind::kDeadlock) add_never_granted();
    return std::move(rows_);
  }

  // Where the thread of each switch had arrived, in the order of the switches.
  const std::vector<Location>& switch_places() const { return switch_places_; }

  // The event that created `thread`; nullptr: not in the events.
  const wire::Event* created(uint32_t thread) const {
    for (const wire::Event& e : r_.events)
      if (e.kind == OpKind::kCreate && e.other == thread) return &e;
    return nullptr;
  }

  // Where `thread` last took the mutex; nullptr: not in the events.
  const wire::Event* taken(uint32_t thread, uint64_t object) const {
    for (size_t i = r_.events.size(); i-- > 0;) {
      const wire::Event& e = r_.events[i];
      if (e.thread == thread && takes(e) == object && object != 0) return &e;
    }
    return nullptr;
  }

 private:
  static uint64_t takes(const wire::Event& e) {
    if (e.result != 0) return 0;
    if (e.kind == OpKind::kReacquire) return e.second;
    return e.kind == OpKind::kLock || e.kind == OpKind::kTryLock ? e.object : 0;
  }
  static uint64_t releases(const wire::Event& e) {
    if (e.kind == OpKind::kWait) return e.second;
    return e.kind == OpKind::kUnlock ? e.object : 0;
  }

  // The end by a return from main has no place in the program.
  Location place_of(const wire::Event& e) {
    const Location place = places_.place(e.stack, e.depth, e.pc);
    return e.kind == OpKind::kEndProcess && place.system ? Location() : place;
  }

  void add_step(const wire::Event& e) {
    FindingRow row{.step = e.step, .thread = e.thread, .operation = name_of(e.kind), .text = {}};
    row.place = place_of(e);
    row.text = wording_.text(act_of(e), row.place);
    row.note = wording_.note(act_of(e), row.place);
    rows_.push_back(std::move(row));
    if (const uint64_t object = takes(e)) owner_[object] = e.thread;
    if (const uint64_t object = releases(e)) owner_.erase(object);
  }

  // What the thread of event `i` had arrived at when it stopped: its next event, or what is still pending.
  std::pair<Act, Location> arrival(size_t i) {
    if (next_[i] < r_.events.size()) return {act_of(r_.events[next_[i]]), place_of(r_.events[next_[i]])};
    for (const wire::Thread& t : r_.threads)
      if (t.phase == wire::ThreadPhase::kLive && t.ordinal == r_.events[i].thread)
        return {act_of(t.pending, r_.threads), places_.place(t.stack, t.depth, t.pending.pc)};
    return {};
  }

  void add_switch(size_t i, Reason reason) {
    const auto [act, place] = arrival(i);
    switch_places_.push_back(place);
    FindingRow row{
        .thread = r_.events[i].thread, .operation = name_of(act.kind), .text = {}, .reason = name_of(reason)};
    row.text = reason == Reason::kPreempted ? "preempted by policy" : name_of(reason);
    if (reason == Reason::kBlocked) set_waits(row, act, place);
    rows_.push_back(std::move(row));
  }

  void set_waits(FindingRow& row, const Act& act, const Location& place) {
    if (act.kind == OpKind::kNone) return;
    row.text = wording_.waits_short(act, place);
    const auto owner = owner_.find(act.object);
    if (act.kind == OpKind::kReacquire)  // the row above it, its wait, has the place
      row.note = "for a signal";
    else
      row.place = place;
    if (owner != owner_.end())
      row.note = "held by " + (owner->second == row.thread ? "itself" : thread_name(owner->second));
  }

  void add_never_granted() {
    std::unordered_map<uint32_t, size_t> last;
    for (size_t i = 0; i < rows_.size(); ++i) last[rows_[i].thread] = i;
    for (const wire::Thread& t : r_.threads) {
      if (t.phase != wire::ThreadPhase::kLive || t.enabled != 0) continue;
      const auto at = last.find(t.ordinal);
      if (at != last.end() && rows_[at->second].reason == name_of(Reason::kBlocked)) continue;
      FindingRow row{.thread = t.ordinal, .operation = name_of(t.pending.kind), .text = {}, .granted = false};
      set_waits(row, act_of(t.pending, r_.threads), places_.place(t.stack, t.depth, t.pending.pc));
      rows_.push_back(std::move(row));
    }
  }

  const RunRecord& r_;
  Places& places_;
  Wording& wording_;
  std::vector<size_t> next_;  // of each event: the same thread's next one
  std::vector<FindingRow> rows_;
  std::vector<Location> switch_places_;
  std::unordered_map<uint64_t, uint32_t> owner_;
};

}  // namespace snarl
