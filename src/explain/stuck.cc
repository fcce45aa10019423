#include "explain/stuck.h"

#include <algorithm>
#include <vector>

namespace snarl::explain {
namespace {

bool is_blocked(const wire::Thread& t) { return t.phase == wire::ThreadPhase::kLive && t.enabled == 0; }

bool waits_for_lock(const wire::Thread& t) {
  constexpr OpKinds kLocks = {OpKind::kLock, OpKind::kReadLock, OpKind::kWriteLock};
  return kLocks.has(t.pending.kind);
}

// Ordinals of those that must go on before it can.
std::vector<uint32_t> waited_for(const record::RunRecord& record, const wire::Thread& t) {
  std::vector<uint32_t> result;
  if (t.pending.kind == OpKind::kJoin) result.push_back(t.pending.thread);
  if (!waits_for_lock(t)) return result;
  for (const wire::Held& held : record.held)
    if (held.object == t.pending.object) result.push_back(held.owner);
  return result;
}

const wire::Thread* blocked_one(const record::RunRecord& record, uint32_t ordinal) {
  const auto at = std::ranges::find_if(record.threads,
                                       [=](const wire::Thread& t) { return t.ordinal == ordinal && is_blocked(t); });
  return at == record.threads.end() ? nullptr : &*at;
}

bool is_on_cycle(const record::RunRecord& record, const wire::Thread& thread) {
  std::vector<uint32_t> reached = waited_for(record, thread);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == thread.ordinal) return true;
    const wire::Thread* next = blocked_one(record, reached[i]);
    if (next == nullptr) continue;
    for (uint32_t ordinal : waited_for(record, *next))
      if (std::ranges::find(reached, ordinal) == reached.end()) reached.push_back(ordinal);
  }
  return false;
}

bool is_joined(const record::RunRecord& record, uint32_t ordinal) {
  return std::ranges::any_of(record.threads, [=](const wire::Thread& t) {
    return is_blocked(t) && t.pending.kind == OpKind::kJoin && t.pending.thread == ordinal;
  });
}

}  // namespace

Stuck stuck(const record::RunRecord& record, const wire::Thread& blocked) {
  if (is_on_cycle(record, blocked)) return Stuck::kCycle;
  const bool held =
      waits_for_lock(blocked) || blocked.pending.kind == OpKind::kOnce;  // parallel runs don't record by whom
  if (blocked.pending.kind == OpKind::kJoin) return Stuck::kJoins;
  if (held) return Stuck::kHeldByOther;
  if (blocked.ordinal == 0 || blocked.pending.kind == OpKind::kBarrierPass) return Stuck::kMainWaits;
  return is_joined(record, blocked.ordinal) ? Stuck::kJoined : Stuck::kIdle;
}

}  // namespace snarl::explain
