// Runs of a few events, for the tests of patterns.
#pragma once

#include <vector>

#include "explain/diagnose/test_records.h"
#include "explain/pattern/pattern.h"

namespace snarl::explain {

inline constexpr uint64_t kM = 0x1000, kN = 0x2000, kO = 0x3000, kC = 0x4000, kX = 0x5000;

// A run under way: each call is one event.
struct Story {
  record::RunRecord run;

  Story& does(uint32_t thread, OpKind kind, uint64_t object = 0, uint64_t value = 0, int16_t result = 0) {
    Event e = event(run.events.size() + 1, thread, kind, object, 0x100);
    e.value = value;
    e.result = result;
    run.events.push_back(e);
    return *this;
  }
  // An exchange and the point after it: what was there, and what is there then.
  Story& exchanges(uint32_t thread, uint64_t object, uint64_t was, uint64_t is) {
    does(thread, OpKind::kAtomicRmw, object, was).does(thread, OpKind::kAfter, object, is);
    run.events.back().after = OpKind::kAtomicRmw;
    return *this;
  }
  Story& blocked(uint32_t thread, OpKind kind, uint64_t object) {
    run.threads.push_back(live(thread, kind, object, 0x200));
    run.outcome = OutcomeKind::kDeadlock;
    return *this;
  }
  Story& fails(uint32_t thread) {
    run.outcome = OutcomeKind::kAssert;
    run.failing_thread = thread;
    return *this;
  }
};

inline report::PatternKind kind_of(const std::optional<Pattern>& pattern) {
  return pattern ? pattern->kind : report::PatternKind::kNone;
}

inline std::vector<size_t> events_of(const std::optional<Pattern>& pattern) {
  std::vector<size_t> events;
  for (const TracedEvent& e : pattern->moments) events.push_back(e.index);
  return events;
}

inline constexpr size_t kPending = TracedEvent::kPending;

}  // namespace snarl::explain
