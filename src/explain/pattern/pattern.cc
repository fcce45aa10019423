#include "explain/pattern/pattern.h"

#include <algorithm>
#include <map>
#include <utility>

#include "explain/pattern/story.h"
#include "schedule/misuse.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

// Who took which mutex last, and where.
struct Owner {
  uint32_t thread = 0;
  size_t event = 0;
};
using Owners = std::map<uint64_t, Owner>;

void perform(const record::RunRecord& run, size_t i, Owners& owners) {
  constexpr OpKinds kTakes = {OpKind::kLock, OpKind::kTryLock, OpKind::kWriteLock, OpKind::kTryWriteLock};
  constexpr OpKinds kLeaves = {OpKind::kUnlock, OpKind::kRwUnlock,  OpKind::kMutexInit, OpKind::kMutexDestroy,
                               OpKind::kRwInit, OpKind::kRwDestroy, OpKind::kFree};
  const Event& e = run.events[i];
  if (kTakes.has(e.kind) && e.result == 0) owners.try_emplace(e.object, Owner{e.thread, i});
  if (e.kind == OpKind::kReacquire) owners.try_emplace(second_of(e), Owner{e.thread, i});
  if (kLeaves.has(e.kind)) owners.erase(e.object);
  if (e.kind == OpKind::kWait) owners.erase(second_of(e));
}

Owners owners_at_end(const record::RunRecord& run) {
  Owners owners;
  for (size_t i = 0; i < run.events.size(); ++i) perform(run, i, owners);
  return owners;
}

}  // namespace

std::optional<Pattern> lock_cycle(const record::RunRecord& run) {
  if (run.outcome != OutcomeKind::kDeadlock) return std::nullopt;
  const Owners owners = owners_at_end(run);
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

std::optional<Pattern> made_anew(const record::RunRecord& run) {
  Owners owners;
  std::map<uint64_t, std::map<uint32_t, size_t>> waiting;  // by condition variable and thread: where its wait began
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.kind == OpKind::kMutexInit || e.kind == OpKind::kRwInit) {
      const auto owner = owners.find(e.object);
      if (owner != owners.end() && owner->second.thread != e.thread)
        return Pattern{PatternKind::kMadeAnew, {moment(run, owner->second.event), moment(run, i)}};
    }
    if (e.kind == OpKind::kCondInit && !waiting[e.object].empty())
      return Pattern{PatternKind::kMadeAnew, {moment(run, waiting[e.object].begin()->second), moment(run, i)}};
    if (e.kind == OpKind::kWait) waiting[e.object][e.thread] = i;
    if (e.kind == OpKind::kReacquire) waiting[e.object].erase(e.thread);
    if (e.kind == OpKind::kFree || e.kind == OpKind::kCondDestroy) waiting.erase(e.object);
    perform(run, i, owners);
  }
  return std::nullopt;
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
  if (run.failure.kind == record::FailureKind::kMisuse)
    if (const std::optional<Pattern> found = from_misuse(run)) return *found;
  if (run.events_lost != 0 || run.parallel || run.events.empty()) return {};
  for (const auto& fits : {made_anew, lock_cycle, lost_wake_up, wake_up_taken, overtaken})
    if (const std::optional<Pattern> found = fits(run)) return *found;
  // Threads that wait for each other did nothing between each other's steps that the cause would name.
  return cause == nullptr || is_stuck(run) ? Pattern() : from_cause(run, *cause).value_or(Pattern());
}

}  // namespace snarl::explain
