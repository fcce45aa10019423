#include "policy/pos.h"

#include "schedule/access.h"

namespace snarl {

bool Pos::begin(const Run& run, Arena& arena, Plan&) {
  rng_ = Rng(run.seed, run.index, Stream::kPolicy);
  priority_ = arena.array<uint64_t>(kMaxSlots);
  return false;
}

// A timed wait can end in two ways: its timer is an event of its own.
void Pos::arrived(const Arrival& arrival) {
  priority_[arrival.thread] = rng_.next();
  if (arrival.op.timed) priority_[timer_of(arrival.thread)] = rng_.next();
}

void Pos::decide(const View& view, Verdict& verdict) {
  if (access_of(view.did) != Access::kNone)
    view.live.for_each([&](ThreadId t) {
      if (t != view.last && conflict(view.did, view.next(t))) priority_[t] = rng_.next();
    });
  ThreadId best = view.enabled.first();
  view.enabled.for_each([&](ThreadId t) {
    if (priority_[t] > priority_[best]) best = t;
  });
  verdict.first = best;
}

}  // namespace snarl
