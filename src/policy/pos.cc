#include "policy/pos.h"

#include "schedule/access.h"

namespace snarl::policy {
namespace {

// Operations on one object count it twice, so that "none" is never equal to "none".
uint64_t second_of(const Op& op) { return op.second != 0 ? op.second : op.object; }

}  // namespace

bool Pos::begin(const Run& run, Arena& arena, Plan&) {
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  pending_ = arena.room<Pending>(2 * kMaxThreads);
  pending_[kMainThread] = {};
  return false;
}

// A timed wait can end in two ways: its timer is an event of its own.
void Pos::arrived(const Arrival& arrival) {
  pending_[arrival.thread] = {rng_.next(), arrival.op.object, second_of(arrival.op)};
  if (arrival.op.timed) pending_[timer_of(arrival.thread)] = {rng_.next()};
}

void Pos::draw_conflicting_anew(const View& view) {
  const uint64_t object = view.did.object, second = second_of(view.did);
  view.live.for_each([&](ThreadId t) {
    const Pending& p = pending_[t];
    const bool near = (p.object == object) | (p.second == object) | (p.object == second) | (p.second == second);
    if (near && t != view.last && conflict(view.did, view.next(t))) pending_[t].priority = rng_.next();
  });
}

void Pos::decide(const View& view, Verdict& verdict) {
  if (access_of(view.did) != Access::kNone) draw_conflicting_anew(view);
  ThreadId best = view.enabled.first();
  uint64_t highest = 0;
  view.enabled.for_each([&](ThreadId t) {
    if (is_alarm(t) || pending_[t].priority <= highest) return;  // nobody arrives at an alarm: it has none
    highest = pending_[t].priority;
    best = t;
  });
  verdict.first = best;
}

}  // namespace snarl::policy
