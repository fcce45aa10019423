#include "explain/diagnose/rows.h"

#include <algorithm>

#include "explain/diagnose/switch_rows.h"
#include "schedule/ordinal.h"

namespace snarl::explain {
namespace {

constexpr size_t kMostHolders = 3;

// Of an operation in two steps: the row above it has the place.
bool is_second_half(OpKind kind) {
  return kind == OpKind::kReacquire || kind == OpKind::kBarrierPass || kind == OpKind::kFutexWoken;
}

}  // namespace

Rows::Rows(const record::RunRecord& record, Places& places, ObjectTable& objects)
    : r_(record), places_(places), objects_(objects), next_(record.events.size(), record.events.size()) {
  wakes_ = r_.parallel ? std::vector<Wake>(r_.events.size()) : wakes_of(r_.events, r_.events_lost == 0);
  std::unordered_map<uint32_t, size_t> later;
  for (size_t i = r_.events.size(); i-- > 0;) {
    const auto at = later.find(r_.events[i].thread);
    if (at != later.end()) next_[i] = at->second;
    later[r_.events[i].thread] = i;
  }
}

std::vector<report::FindingRow> Rows::build() {
  for (size_t i = 0; i < r_.events.size(); ++i) {
    if (i > 0 && r_.events[i].switched != Reason::kNone) add_switch(i - 1, reason_of(i));
    if (r_.events[i].step != 0) add_timeouts(r_.events[i].step);
    add_step(i);
  }
  add_timeouts(~Step{0});
  if (r_.outcome == OutcomeKind::kDeadlock || r_.outcome == OutcomeKind::kHang) add_never_granted();
  return std::move(rows_);
}

std::vector<const report::Location*> Rows::switch_places(const std::vector<Decision>& decisions) const {
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

const Event* Rows::created(uint32_t thread) const {
  for (const Event& e : r_.events)
    if (e.kind == OpKind::kCreate && other_of(e) == thread) return &e;
  return nullptr;
}

const Event* Rows::taken(uint32_t thread, uint64_t object) const {
  const Event* last = nullptr;
  for (const Holders::Hold& hold : holders_.of(object))
    if (hold.thread == thread) last = &r_.events[hold.event];
  return last;
}

// The end by a return from main has no place in the program.
report::Location Rows::place_of(const Event& e) {
  const report::Location place = places_.place(stack_of(e));
  return e.kind == OpKind::kEndProcess && place.system ? report::Location() : place;
}

// Why the thread that ran before event `i` does not go on. Where timers fired in between, the first of
// them was chosen for that reason: the runtime tells what held after the last one.
Reason Rows::reason_of(size_t i) const {
  for (size_t d = next_timeout_; d < r_.decisions.size() && r_.decisions[d].step + 1 < r_.events[i].step; ++d)
    if (is_timer_ordinal(r_.decisions[d].to) && r_.decisions[d].from == r_.events[i - 1].thread)
      return r_.decisions[d].reason;
  return r_.events[i].switched;
}

// The timers that fired before that step.
void Rows::add_timeouts(Step step) {
  for (; next_timeout_ < r_.decisions.size() && r_.decisions[next_timeout_].step + 1 < step; ++next_timeout_)
    if (is_timer_ordinal(r_.decisions[next_timeout_].to)) add_timeout(r_.decisions[next_timeout_]);
}

void Rows::add_timeout(const Decision& d) {
  report::FindingRow row = timeout_row(d);
  const auto before = std::ranges::find(rows_.rbegin(), rows_.rend(), row.thread, &report::FindingRow::thread);
  const bool slept = before != rows_.rend() && before->act.kind == OpKind::kSleep;
  if (row.kind == report::RowKind::kTimedOut && slept) row.kind = report::RowKind::kSleepOver;
  rows_.push_back(std::move(row));
}

// The value that a futex wait was called with is no longer there: it returns at once.
bool Rows::returns_at_once(size_t i) const {
  return r_.events[i].kind == OpKind::kFutexWait && next_[i] < r_.events.size() &&
         r_.events[next_[i]].kind != OpKind::kFutexWoken;
}

// The last event may be the access that failed; and what a write left is read when the next event begins.
report::FindingValues Rows::values_at(size_t i) const {
  const Event& e = r_.events[i];
  const bool whole = e.size == 1 || e.size == 2 || e.size == 4 || e.size == 8;
  if (r_.parallel || !is_memory_access(e.kind) || !whole || i + 1 == r_.events.size()) return {};
  report::FindingValues values{.bytes = e.size};
  const bool writes = e.kind == OpKind::kWrite || e.kind == OpKind::kAtomicStore;
  (writes ? values.left : values.was) = e.value;
  (writes ? values.has_left : values.has_was) = true;
  if (e.kind != OpKind::kAtomicRmw || next_[i] == r_.events.size()) return values;
  const Event& after = r_.events[next_[i]];
  if (after.kind != OpKind::kAfter || after.after != e.kind || after.object != e.object) return values;
  values.has_left = true;
  values.left = after.value;
  return values;
}

void Rows::add_step(size_t i) {
  const Event& e = r_.events[i];
  report::FindingRow row{.step = e.step, .thread = e.thread};
  row.place = place_of(e);
  row.act = objects_.performed(act_of(e), row.place);
  row.value_changed = returns_at_once(i);
  row.values = values_at(i);
  row.wakes = wakes_[i].threads;
  row.wakes_nobody = wakes_[i].nobody;
  rows_.push_back(std::move(row));
  holders_.perform(e, i);
}

// What the thread of event `i` had arrived at when it stopped: its next event, or what is still pending.
std::pair<Act, report::Location> Rows::arrival(size_t i) {
  if (next_[i] < r_.events.size()) return {act_of(r_.events[next_[i]]), place_of(r_.events[next_[i]])};
  for (const wire::Thread& t : r_.threads)
    if (t.phase == wire::ThreadPhase::kLive && t.ordinal == r_.events[i].thread)
      return {act_of(t.pending, r_.threads), places_.place(stack_of(t))};
  return {};
}

// A run that was ended by a timeout leaves no pending operations: then the log has at least their kind.
void Rows::set_waits_by_log(report::FindingRow& row, Step step) {
  for (size_t d = r_.decisions.size(); d-- > 0;) {
    if (r_.decisions[d].from != row.thread || r_.decisions[d].step != step) continue;
    row.act = ObjectTable::only(r_.decisions[d].kind);
    row.place = places_.place(r_.decisions[d].pc);
    return;
  }
}

void Rows::add_switch(size_t i, Reason reason) {
  const auto [act, place] = arrival(i);
  switch_places_.emplace_back(r_.events[i].thread, place);
  report::FindingRow row{.kind = report::RowKind::kSwitch, .thread = r_.events[i].thread};
  row.act = ObjectTable::only(act.kind);
  row.reason = reason;
  if (reason == Reason::kBlocked) set_waits(row, act, place);
  if (reason == Reason::kBlocked && act.kind == OpKind::kNone) set_waits_by_log(row, r_.events[i].step);
  if (reason == Reason::kYielded && is_yield(r_.events[i].kind)) row.place = place_of(r_.events[i]);
  rows_.push_back(std::move(row));
}

void Rows::set_waits(report::FindingRow& row, const Act& act, const report::Location& place) {
  if (act.kind == OpKind::kNone) return;
  row.act = objects_.waiting(act, place);
  if (!is_second_half(act.kind)) row.place = place;
  set_holders(row, act.object);
  row.behind_writer = act.kind == OpKind::kReadLock && holders_.is_read(act.object);
}

// Itself first, each once.
void Rows::set_holders(report::FindingRow& row, uint64_t object) const {
  for (const Holders::Hold& hold : holders_.of(object))
    if (std::ranges::find(row.holders, hold.thread) == row.holders.end()) row.holders.push_back(hold.thread);
  std::partition(row.holders.begin(), row.holders.end(), [&](uint32_t holder) { return holder == row.thread; });
  row.more_holders = row.holders.size() > kMostHolders;
  if (row.more_holders) row.holders.resize(kMostHolders);
}

void Rows::add_never_granted() {
  std::unordered_map<uint32_t, size_t> last;
  for (size_t i = 0; i < rows_.size(); ++i) last[rows_[i].thread] = i;
  for (const wire::Thread& t : r_.threads) {
    if (t.phase != wire::ThreadPhase::kLive || t.enabled != 0) continue;
    const auto at = last.find(t.ordinal);
    if (at != last.end() && rows_[at->second].reason == Reason::kBlocked) continue;
    report::FindingRow row{.kind = report::RowKind::kNeverGranted, .thread = t.ordinal};
    set_waits(row, act_of(t.pending, r_.threads), places_.place(stack_of(t)));
    rows_.push_back(std::move(row));
  }
}

}  // namespace snarl::explain
