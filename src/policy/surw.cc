#include "policy/surw.h"

namespace snarl::policy {

uint64_t Surw::pick_object(const Counts& counts, Rng& rng) {
  uint64_t total = 0;
  for (const ObjectCount& count : counts.objects) total += count.events;
  if (total == 0) return 0;
  uint64_t draw = rng.below(total);
  for (const ObjectCount& count : counts.objects) {
    if (draw < count.events) return count.object;
    draw -= count.events;
  }
  return 0;
}

bool Surw::begin(const Run& run, Arena& arena, Plan&) {
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  object_ = pick_object(run.counts, rng_);
  left_.begin(object_ == 0 ? Counts() : run.counts, object_, arena);
  priority_ = arena.array<uint64_t>(kMaxSlots);
  return false;
}

void Surw::spawned(const View& view, ThreadId child) {
  left_.spawned(view.last, child, view.name(child));
  priority_[child] = rng_.next();
  at_object_.remove(child);
  if (view.last != intended_) return;
  ThreadSet both;
  both.add(intended_);
  both.add(child);
  intended_ = draw(both, 0);
}

void Surw::arrived(const Arrival& arrival) {
  priority_[arrival.thread] = rng_.next();
  if (arrival.op.timed) priority_[timer_of(arrival.thread)] = rng_.next();
  at_object_.put(arrival.thread, object_ != 0 && arrival.object == object_);
}

void Surw::stepped(const Arrival& step, bool event) {
  const bool of_d = at_object_.has(step.thread);
  at_object_.remove(step.thread);
  if (of_d && event) left_.take(step.thread);
  if (step.thread == intended_ && (of_d || step.op.kind == OpKind::kExit)) redraw_ = true;
}

// By weight, at least `least`; kNoThread if nobody has any.
ThreadId Surw::draw(const ThreadSet& among, uint64_t least) {
  const auto at_least = [&](ThreadId t) { return weight(t) < least ? least : weight(t); };
  uint64_t total = 0;
  among.for_each([&](ThreadId t) { total += at_least(t); });
  if (total == 0) return kNoThread;
  uint64_t draw = rng_.below(total);
  ThreadId found = kNoThread;
  among.for_each([&](ThreadId t) {
    if (found == kNoThread && draw < at_least(t)) found = t;
    draw -= at_least(t);
  });
  return found;
}

// Nobody, if only deadlines are left beside threads that are held: one would come only because those are not let run.
ThreadId Surw::best_unheld(const View& view) const {
  ThreadSet unheld = view.enabled.minus(at_object_);
  if (intended_ != kNoThread && view.enabled.has(intended_)) unheld.add(intended_);
  if (unheld.empty() || (is_timer(unheld.first()) && !is_timer(view.enabled.first()))) return kNoThread;
  return unheld.greatest([this](ThreadId t) __attribute__((always_inline)) { return priority_[t]; });
}

void Surw::decide(const View& view, Verdict& verdict) {
  if (redraw_) intended_ = draw(view.live, 0);
  redraw_ = false;
  verdict.first = best_unheld(view);
  if (verdict.first == kNoThread) verdict.first = intended_ = draw(view.threads(), 1);
}

}  // namespace snarl::policy
