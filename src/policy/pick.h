// Choices that several policies make.
#pragma once

#include "base/rng.h"
#include "base/thread_set.h"
#include "policy/policy.h"

namespace snarl::policy {

// Each equally likely. `among` is not empty.
inline ThreadId any_of(const ThreadSet& among, Rng& rng) {
  return among.nth(static_cast<int>(rng.below(static_cast<uint64_t>(among.size()))));
}

// Can the thread that ran last go on?
inline bool can_stay(const View& view) { return view.last != kNoThread && view.enabled.has(view.last); }

// An enabled thread other than the last one, each equally likely; the last one if there is no other.
inline ThreadId any_other(const View& view, Rng& rng) {
  if (!can_stay(view)) return any_of(view.enabled, rng);
  ThreadSet others = view.enabled;
  others.remove(view.last);
  return others.empty() ? view.last : any_of(others, rng);
}

// kNoThread if it is not enabled.
inline ThreadId enabled_with_ordinal(const View& view, uint32_t ordinal) {
  ThreadId found = kNoThread;
  view.enabled.for_each([&](ThreadId t) {
    if (view.ordinal(t) == ordinal) found = t;
  });
  return found;
}

// Threads before timers.
inline ThreadId oldest_enabled(const View& view) {
  ThreadId oldest = view.enabled.first();
  view.enabled.for_each([&](ThreadId t) {
    if (view.ordinal(t) < view.ordinal(oldest)) oldest = t;
  });
  return oldest;
}

// The enabled thread that follows the one with this ordinal in order of creation, going round.
// Timers follow all threads.
inline ThreadId next_in_order(const View& view, uint32_t ordinal) {
  ThreadId first = kNoThread, next = kNoThread;
  view.enabled.for_each([&](ThreadId t) {
    const uint32_t at = view.ordinal(t);
    if (first == kNoThread || at < view.ordinal(first)) first = t;
    if (at > ordinal && (next == kNoThread || at < view.ordinal(next))) next = t;
  });
  return next != kNoThread ? next : first;
}

// The answer holds so long, whoever else becomes enabled.
inline void keep_for(Verdict& verdict, Step steps) {
  verdict.hold = steps;
  verdict.unless_any = false;
}

// A parallel run in which nobody is held back.
inline void plan_free(const Run& run, Plan& plan) {
  plan.parallel_above = 0;
  plan.insert = LateRng(Rng::seed_of(run.key.seed, run.key.index, Stream::kPolicy));
}

}  // namespace snarl::policy
