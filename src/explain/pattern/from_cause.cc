// Patterns of orders that also stand in runs that pass: only the proved cause says that they matter.
#include <utility>

#include "explain/pattern/pattern.h"
#include "explain/pattern/story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

constexpr bool is_plain_write(OpKind kind) { return is_memory_write(kind) && kind != OpKind::kAtomicRmw; }

// A cause of two orders: an event of thread A before one of B, and one of B before one of A.
struct ThereAndBack {
  TracedEvent first, there, back, last;
};

std::optional<ThereAndBack> there_and_back(const Cause& cause) {
  const std::vector<CauseConstraint>& all = cause.constraints;
  if (all.size() != 2 || all[0].sources.size() != 1 || all[1].sources.size() != 1) return std::nullopt;
  const ThereAndBack path{all[0].sources[0], all[0].target, all[1].sources[0], all[1].target};
  const bool same = path.first.thread == path.last.thread && path.there.thread == path.back.thread;
  return same && conflict(path.first, path.there) ? std::optional(path) : std::nullopt;
}

// A thread that has come to the point after an operation has performed that.
TracedEvent operation_of(const record::RunRecord& run, TracedEvent event) {
  if (event.kind != OpKind::kAfter || event.index >= run.events.size()) return event;
  for (size_t i = event.index; i-- > 0;) {
    if (run.events[i].thread != run.events[event.index].thread) continue;
    event.index = i;
    event.kind = run.events[i].kind;
    return event;
  }
  return event;
}

ThereAndBack operations_of(const record::RunRecord& run, const ThereAndBack& p) {
  return {operation_of(run, p.first), operation_of(run, p.there), operation_of(run, p.back), operation_of(run, p.last)};
}

// Both read the same from one place, and both wrote there; `read` is of the one whose write came last.
std::optional<Pattern> double_take_from(const record::RunRecord& run, const ThereAndBack& p, size_t read) {
  const uint64_t object = run.events[read].object;
  const size_t none = run.events.size();
  size_t others_read = none, others_write = none, write = none;
  for (size_t i = back_from(read); i < run.events.size() && write == none; ++i) {
    const Event& e = run.events[i];
    if (e.object != object || !is_memory_access(e.kind)) continue;
    const bool other = e.thread == p.there.ordinal, own = e.thread == p.first.ordinal;
    if (other && is_memory_read(e.kind) && others_write == none) others_read = i;
    if (own && i > read && !is_plain_write(e.kind)) return std::nullopt;
    if (!is_memory_write(e.kind)) continue;
    if (i < read) {
      others_read = none;
    } else if (own) {
      write = i;
    } else if (!other || others_write != none || !is_plain_write(e.kind)) {
      return std::nullopt;
    } else {
      others_write = i;
    }
  }
  if (others_read == none || others_write == none || write == none) return std::nullopt;
  if (run.events[others_read].value != run.events[read].value) return std::nullopt;
  return Pattern{PatternKind::kDoubleTake,
                 {moment(run, read), moment(run, others_read), moment(run, others_write), moment(run, write)}};
}

// Where the cause is told by locks, what was read and written stands between them.
std::optional<Pattern> double_take(const record::RunRecord& run, const ThereAndBack& p) {
  if (p.first.index >= run.events.size()) return std::nullopt;
  const bool by_locks = !is_memory_access(p.first.kind);
  for (size_t read = p.first.index + 1; read-- > (by_locks ? back_from(p.first.index) : p.first.index);) {
    const Event& e = run.events[read];
    if (e.thread != p.first.ordinal || !is_memory_read(e.kind)) continue;
    if (std::optional<Pattern> found = double_take_from(run, p, read)) return found;
  }
  return std::nullopt;
}

// Does the thread hold the mutex just before the event?
bool holds(const record::RunRecord& run, uint32_t thread, uint64_t mutex, size_t event) {
  bool held = false;
  for (size_t i = 0; i < event; ++i) {
    const Event& e = run.events[i];
    if (e.thread != thread) continue;
    if (e.object == mutex && (e.kind == OpKind::kLock || e.kind == OpKind::kTryLock) && e.result == 0) held = true;
    if (e.kind == OpKind::kReacquire && second_of(e) == mutex) held = true;
    if (e.object == mutex && e.kind == OpKind::kUnlock) held = false;
    if (e.kind == OpKind::kWait && second_of(e) == mutex) held = false;
  }
  return held;
}

// A thread tests something, another changes it under a lock, and the first one takes that lock without a second look.
std::optional<Pattern> missed_recheck(const record::RunRecord& run, const ThereAndBack& p) {
  const size_t test = p.first.index, change = p.there.index;
  if (test >= change || change >= run.events.size()) return std::nullopt;
  const Event &tested = run.events[test], &changed = run.events[change];
  if (!is_memory_read(tested.kind) || !is_memory_write(changed.kind) || tested.object != changed.object)
    return std::nullopt;
  const size_t none = run.events.size();
  size_t lock = none;
  for (size_t i = test + 1; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.thread != tested.thread) continue;
    if (e.object == tested.object && is_memory_read(e.kind)) return std::nullopt;
    if (lock != none && e.kind == OpKind::kUnlock && e.object == run.events[lock].object) break;
    const bool after = i > change && e.kind == OpKind::kLock && e.result == 0;
    if (lock == none && after && holds(run, changed.thread, e.object, change)) lock = i;
  }
  if (lock == none) return std::nullopt;
  return Pattern{PatternKind::kMissedRecheck, {moment(run, test), moment(run, change), moment(run, lock)}};
}

// By a load, or by an exchange that left what was there.
bool only_looks(const record::RunRecord& run, const TracedEvent& event) {
  if (is_memory_read(event.kind)) return true;
  if (event.kind != OpKind::kAtomicRmw || event.index >= run.events.size()) return false;
  for (size_t i = event.index + 1; i < run.events.size(); ++i)
    if (run.events[i].thread == run.events[event.index].thread)
      return run.events[i].kind == OpKind::kAfter && run.events[i].value == run.events[event.index].value;
  return false;
}

// One writes what the other looks at before it has written all that the other reads then.
std::optional<Pattern> published_early(const record::RunRecord& run, const ThereAndBack& p) {
  const bool two = p.first.object != p.last.object;
  if (!two || !is_memory_write(p.first.kind) || !is_memory_write(p.last.kind) || !conflict(p.back, p.last))
    return std::nullopt;
  if (!only_looks(run, p.there) || !only_looks(run, p.back)) return std::nullopt;
  return Pattern{PatternKind::kPublishedEarly, {p.first, p.there, p.back, p.last}};
}

}  // namespace

std::optional<Pattern> from_cause(const record::RunRecord& run, const Cause& cause) {
  const std::vector<CauseConstraint>& all = cause.constraints;
  if (cause.state != CauseState::kProved) return std::nullopt;
  if (all.size() == 1 && all[0].sources.size() == 1)
    return Pattern{PatternKind::kOrder, {all[0].sources[0], all[0].target}};
  const std::optional<ThereAndBack> found = there_and_back(cause);
  if (!found) return std::nullopt;
  const ThereAndBack path = operations_of(run, *found);
  const bool one_object = path.last.index < run.events.size() && path.last.object == path.first.object;
  if (std::optional<Pattern> pattern = one_object ? aba(run, path.last.index) : std::nullopt) return pattern;
  if (std::optional<Pattern> pattern = double_take(run, path)) return pattern;
  if (std::optional<Pattern> pattern = missed_recheck(run, path)) return pattern;
  if (std::optional<Pattern> pattern = published_early(run, path)) return pattern;
  if (!conflict(path.there, path.last)) return std::nullopt;
  return Pattern{PatternKind::kAtomicity, {path.first, path.there, path.last}};
}

}  // namespace snarl::explain
