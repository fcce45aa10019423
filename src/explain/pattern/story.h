// What the patterns ask of a failed run. Pure.
#pragma once

#include <algorithm>
#include <cstddef>

#include "explain/cause/trace.h"
#include "record/record.h"

namespace snarl::explain {

constexpr size_t kMostBack = 2000;  // events that are looked back from one: in a long run, nobody follows more

inline size_t back_from(size_t event) { return event - std::min(event, kMostBack); }

inline TracedEvent moment(const record::RunRecord& run, size_t event) {
  return {.kind = run.events[event].kind, .ordinal = run.events[event].thread, .index = event};
}

inline TracedEvent pending(const wire::Thread& t) {
  return {.kind = t.pending.kind, .performed = false, .ordinal = t.ordinal};
}

inline bool is_stuck(const record::RunRecord& run) {
  return run.outcome == OutcomeKind::kDeadlock || run.outcome == OutcomeKind::kHang;
}

inline bool is_blocked(const wire::Thread& t) { return t.phase == wire::ThreadPhase::kLive && t.enabled == 0; }

}  // namespace snarl::explain
