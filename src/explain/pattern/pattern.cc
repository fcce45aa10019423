#include "explain/pattern/pattern.h"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/misuse.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

constexpr size_t kMostBack = 2000;  // events that are looked back from one: in a long run, nobody follows more

size_t back_from(size_t event) { return event - std::min(event, kMostBack); }

TracedEvent moment(const record::RunRecord& run, size_t event) {
  return {.kind = run.events[event].kind, .ordinal = run.events[event].thread, .index = event};
}

TracedEvent pending(const wire::Thread& t) {
  return {.kind = t.pending.kind, .performed = false, .ordinal = t.ordinal};
}

bool is_stuck(const record::RunRecord& run) {
  return run.outcome == OutcomeKind::kDeadlock || run.outcome == OutcomeKind::kHang;
}

bool is_blocked(const wire::Thread& t) { return t.phase == wire::ThreadPhase::kLive && t.enabled == 0; }

// Who took which mutex last, and where.
struct Owner {
  uint32_t thread = 0;
  size_t event = 0;
};

std::map<uint64_t, Owner> owners_at_end(const record::RunRecord& run) {
  std::map<uint64_t, Owner> owners;
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    const bool takes = e.kind == OpKind::kLock || e.kind == OpKind::kTryLock || e.kind == OpKind::kWriteLock;
    if (takes && e.result == 0) owners.try_emplace(e.object, Owner{e.thread, i});
    if (e.kind == OpKind::kReacquire) owners.try_emplace(second_of(e), Owner{e.thread, i});
    if (e.kind == OpKind::kUnlock || e.kind == OpKind::kRwUnlock) owners.erase(e.object);
    if (e.kind == OpKind::kWait) owners.erase(second_of(e));
  }
  return owners;
}

// How many threads wait on the condition variable just before each event.
size_t waiters_before(const record::RunRecord& run, uint64_t condition, size_t event) {
  size_t waiting = 0;
  for (size_t i = 0; i < event; ++i) {
    if (run.events[i].object != condition) continue;
    if (run.events[i].kind == OpKind::kWait) ++waiting;
    if (run.events[i].kind == OpKind::kReacquire && waiting > 0) --waiting;
  }
  return waiting;
}

bool is_wake(const Event& e, uint64_t condition) {
  return (e.kind == OpKind::kSignal || e.kind == OpKind::kBroadcast) && e.object == condition;
}

std::optional<size_t> last_wait(const record::RunRecord& run, uint32_t thread, uint64_t condition) {
  for (size_t i = run.events.size(); i-- > 0;)
    if (run.events[i].thread == thread && run.events[i].kind == OpKind::kWait && run.events[i].object == condition)
      return i;
  return std::nullopt;
}

// Where the thread read what was written before the signal: instrumented code shows its test of the predicate.
std::optional<size_t> test_before(const record::RunRecord& run, uint32_t thread, size_t signal) {
  for (size_t w = signal; w-- > back_from(signal);) {
    const Event& written = run.events[w];
    if (written.thread != run.events[signal].thread || !is_memory_write(written.kind)) continue;
    for (size_t r = w; r-- > back_from(signal);)
      if (run.events[r].thread == thread && is_memory_read(run.events[r].kind) &&
          run.events[r].object == written.object)
        return r;
  }
  return std::nullopt;
}

// What the exchange left there: the point after it tells.
std::optional<uint64_t> left_by(const record::RunRecord& run, size_t exchange) {
  for (size_t i = exchange + 1; i < run.events.size(); ++i) {
    if (run.events[i].thread != run.events[exchange].thread) continue;
    if (run.events[i].kind == OpKind::kAfter && run.events[i].after == OpKind::kAtomicRmw) return run.events[i].value;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> written_by(const record::RunRecord& run, size_t write) {
  return run.events[write].kind == OpKind::kAtomicRmw ? left_by(run, write) : run.events[write].value;
}

}  // namespace

std::optional<Pattern> lock_cycle(const record::RunRecord& run) {
  if (run.outcome != OutcomeKind::kDeadlock) return std::nullopt;
  const std::map<uint64_t, Owner> owners = owners_at_end(run);
  std::map<uint32_t, const wire::Thread*> waits;
  for (const wire::Thread& t : run.threads)
    if (is_blocked(t) && (t.pending.kind == OpKind::kLock || t.pending.kind == OpKind::kWriteLock))
      waits[t.ordinal] = &t;
  for (const auto& [first, unused] : waits) {
    std::vector<std::pair<const wire::Thread*, size_t>> way;  // each with where the one it waits for took the lock
    uint32_t at = first;
    while (way.size() <= waits.size()) {
      const auto waiter = waits.find(at);
      const auto owner = waiter == waits.end() ? owners.end() : owners.find(waiter->second->pending.object);
      if (owner == owners.end() || owner->second.thread == at) break;
      way.emplace_back(waiter->second, owner->second.event);
      at = owner->second.thread;
      if (at == first) break;
    }
    if (at != first || way.size() < 2) continue;
    Pattern pattern{way.size() == 2 ? PatternKind::kAbba : PatternKind::kLockCycle, {}};
    for (size_t i = 0; i < way.size(); ++i) {
      pattern.moments.push_back(moment(run, way[(i + way.size() - 1) % way.size()].second));
      pattern.moments.push_back(pending(*way[i].first));
    }
    return pattern;
  }
  return std::nullopt;
}

std::optional<Pattern> lost_wake_up(const record::RunRecord& run) {
  if (!is_stuck(run)) return std::nullopt;
  for (const wire::Thread& t : run.threads) {
    if (!is_blocked(t) || t.pending.kind != OpKind::kReacquire) continue;
    const std::optional<size_t> wait = last_wait(run, t.ordinal, t.pending.object);
    if (!wait) continue;
    const auto wakes = [&](size_t i) { return is_wake(run.events[i], t.pending.object); };
    bool later = false;
    for (size_t i = *wait; i < run.events.size(); ++i) later = later || wakes(i);
    for (size_t s = *wait; s-- > 0 && !later;) {
      if (!wakes(s) || run.events[s].thread == t.ordinal) continue;
      if (waiters_before(run, t.pending.object, s) != 0) break;
      Pattern pattern{PatternKind::kLostWakeUp, {moment(run, s), moment(run, *wait)}};
      if (const std::optional<size_t> test = test_before(run, t.ordinal, s))
        pattern.moments.push_back(moment(run, *test));
      return pattern;
    }
  }
  return std::nullopt;
}

std::optional<Pattern> overtaken(const record::RunRecord& run) {
  if (is_stuck(run) || run.failure.kind != record::FailureKind::kOutcome) return std::nullopt;
  size_t back = run.events.size();  // where the failing thread came back from its wait
  for (size_t i = run.events.size(); i-- > 0 && back == run.events.size();) {
    const Event& e = run.events[i];
    if (e.thread != run.failing_thread) continue;
    if (e.kind == OpKind::kReacquire && e.result == 0) back = i;
    const bool stays = is_memory_access(e.kind) || e.kind == OpKind::kAfter || e.kind == OpKind::kSignal ||
                       e.kind == OpKind::kBroadcast || e.kind == OpKind::kEndProcess;
    if (back == run.events.size() && !stays) return std::nullopt;
  }
  if (back == run.events.size()) return std::nullopt;
  const uint64_t condition = run.events[back].object, mutex = second_of(run.events[back]);
  std::optional<size_t> wait, wake, taken;
  for (size_t i = back; i-- > 0 && !wait;) {
    const Event& e = run.events[i];
    if (e.thread == run.failing_thread && e.kind == OpKind::kWait && e.object == condition) wait = i;
    if (!wait && is_wake(e, condition)) wake = i;
  }
  for (size_t i = wake.value_or(back); i < back && !taken; ++i) {
    const Event& e = run.events[i];
    if (e.kind == OpKind::kLock && e.object == mutex && e.thread != run.failing_thread) taken = i;
  }
  if (!wait || !wake || !taken) return std::nullopt;
  return Pattern{PatternKind::kOvertaken, {moment(run, *wait), moment(run, *wake), moment(run, *taken)}};
}

std::optional<Pattern> aba(const record::RunRecord& run) {
  for (size_t x = 0; x < run.events.size(); ++x) {
    const Event& exchange = run.events[x];
    const std::optional<uint64_t> left = exchange.kind == OpKind::kAtomicRmw ? left_by(run, x) : std::nullopt;
    if (!left || *left == exchange.value) continue;  // it failed, or changed nothing
    std::optional<size_t> away, again;
    for (size_t i = x; i-- > back_from(x);) {
      const Event& e = run.events[i];
      if (e.object != exchange.object || e.kind == OpKind::kAfter) continue;
      if (e.thread == exchange.thread) {
        if (e.kind == OpKind::kAtomicLoad && e.value == exchange.value && away && again)
          return Pattern{PatternKind::kAba, {moment(run, i), moment(run, *away), moment(run, *again), moment(run, x)}};
        break;
      }
      if (!is_memory_write(e.kind)) continue;
      const std::optional<uint64_t> value = written_by(run, i);
      if (value == exchange.value && !again) again = i;
      if (value && value != exchange.value && again) away = i;
    }
  }
  return std::nullopt;
}

std::optional<Pattern> from_cause(const Cause& cause) {
  const std::vector<CauseConstraint>& all = cause.constraints;
  if (cause.state != CauseState::kProved) return std::nullopt;
  const auto single = [](const CauseConstraint& c) { return c.sources.size() == 1; };
  if (all.size() == 1 && single(all[0])) return Pattern{PatternKind::kOrder, {all[0].sources[0], all[0].target}};
  if (all.size() != 2 || !single(all[0]) || !single(all[1])) return std::nullopt;
  const TracedEvent &before = all[0].sources[0], &between = all[0].target, &after = all[1].target;
  if (before.thread != after.thread || between.thread != all[1].sources[0].thread) return std::nullopt;
  if (!conflict(before, between) || !conflict(between, after)) return std::nullopt;
  return Pattern{PatternKind::kAtomicity, {before, between, after}};
}

std::optional<Pattern> from_misuse(const record::RunRecord& run) {
  if (run.failure.kind != record::FailureKind::kMisuse || run.failure.index >= run.misuses.size()) return std::nullopt;
  switch (run.misuses[run.failure.index].what.kind) {
    case MisuseKind::kDestroyLocked:
    case MisuseKind::kDestroyWaited: return Pattern{PatternKind::kDestroyedInUse, {}};
    case MisuseKind::kUseAfterDestroy: return Pattern{PatternKind::kUsedAfterDestroy, {}};
    case MisuseKind::kUseAfterFree: return Pattern{PatternKind::kUseAfterFree, {}};
    default: return std::nullopt;
  }
}

Pattern find_pattern(const record::RunRecord& run, const Cause* cause) {
  if (run.failure.kind == record::FailureKind::kMisuse) return from_misuse(run).value_or(Pattern());
  if (run.events_lost != 0 || run.parallel || run.events.empty()) return {};
  for (const auto& fits : {lock_cycle, lost_wake_up, overtaken, aba})
    if (const std::optional<Pattern> found = fits(run)) return *found;
  // Threads that wait for each other did nothing between each other's steps that the cause would name.
  return cause == nullptr || is_stuck(run) ? Pattern() : from_cause(*cause).value_or(Pattern());
}

}  // namespace snarl::explain
