#include "policy/meet.h"

#include "policy/pick.h"

namespace snarl::policy {
namespace {

constexpr Step kLeastPatience = 64;

bool is_plain(OpKind kind) { return kind == OpKind::kRead || kind == OpKind::kWrite; }

bool come_together(const Op& a, const Op& b) {
  const bool overlap = a.object < b.object + b.value && b.object < a.object + a.value;
  return overlap && (is_memory_write(a.kind) || is_memory_write(b.kind)) && (is_plain(a.kind) || is_plain(b.kind));
}

}  // namespace

bool Meet::begin(const Run& run, Arena& arena, Plan&) {
  const uint64_t nth = run.key.index;
  rng_ = Rng(run.key.seed, nth, Stream::kSearch);
  recording_ = run.follow;
  sites_[0] = run.meeting[0];
  sites_[1] = run.meeting[1];
  stands_ = arena.array<Stand>(kMaxThreads);
  patience_ = kLeastPatience << 2 * (nth % 5);
  if (nth == 0 && run.key.profile.steps > patience_) patience_ = run.key.profile.steps;  // of a long run, the only try
  stray_ = nth == 0 ? 0 : ~uint64_t{0} >> (2 + rng_.below(8));
  let_by_ = nth < 5 ? 0 : ~uint64_t{0} >> (1 + rng_.below(4));
  return false;
}

bool Meet::is_site(const Op& op) const {
  return (is_memory_access(op.kind) || op.kind == OpKind::kLock) && (op.pc == sites_[0] || op.pc == sites_[1]);
}

// Those that wait at a site.
ThreadSet Meet::standing(const View& view) {
  ThreadSet result;
  view.enabled.for_each_below(kMaxThreads, [&](ThreadId t) {
    if (!is_site(view.next(t))) return;
    Stand& stand = stands_[t];
    if (stand.arrival != view.taken(t) + 1) stand = {view.taken(t) + 1, rng_.next() >= let_by_};
    if (stand.waits) result.add(t);
  });
  return result;
}

bool Meet::have_met(const View& view, const ThreadSet& standing) const {
  bool met = false;
  standing.for_each([&](ThreadId a) {
    standing.for_each([&](ThreadId b) { met |= a < b && come_together(view.next(a), view.next(b)); });
  });
  return met;
}

// The recording as stretches: each thread runs until it has taken as many steps as it had at its switch.
ThreadId Meet::by_recording(const View& view, const ThreadSet& free) {
  if (rng_.next() < stray_) return any_of(free, rng_);
  for (; at_ < recording_.size(); ++at_) {
    const ThreadId t = enabled_with_ordinal(view, recording_[at_].from);
    if (t != kNoThread && free.has(t) && view.taken(t) < recording_[at_].nth) return t;
  }
  return view.last != kNoThread && free.has(view.last) ? view.last : any_of(free, rng_);
}

void Meet::decide(const View& view, Verdict& verdict) {
  ThreadSet waiting = met_ ? ThreadSet() : standing(view);
  if (have_met(view, waiting)) {
    met_ = true;
    waiting.clear();
  }
  ThreadSet free = view.threads().minus(waiting);
  if (!waiting.empty() && (free.empty() || ++waited_ > patience_)) {
    const ThreadId goes = any_of(waiting, rng_);
    stands_[goes].waits = false;
    waited_ = 0;
    free.add(goes);
    if (free.size() == 1) {
      verdict.first = goes;
      return;
    }
  }
  verdict.first = free.empty() ? any_of(view.enabled, rng_) : by_recording(view, free);
}

}  // namespace snarl::policy
