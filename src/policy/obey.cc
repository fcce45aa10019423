#include "policy/obey.h"

#include "policy/pick.h"

namespace snarl::policy {
bool Obey::begin(const Run& run, Arena& arena, Plan&) {
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  obedience_ = run.obedience;
  by_priority_ = run.key.policy.values[0] != 0;
  priorities_ = rng_.next();
  rules_ = arena.array<Rule>(run.directive.size());
  for (size_t i = 0; i < rules_.size(); ++i) {
    const Constraint& constraint = run.directive[i];
    rules_[i].target.what = constraint.target;
    rules_[i].sources = arena.array<Event>(constraint.source_count);
    for (size_t j = 0; j < rules_[i].sources.size(); ++j) rules_[i].sources[j].what = constraint.sources[j];
  }
  return false;
}

void Obey::report(Obedience how) {
  dropped_ = how != Obedience::kSatisfied;
  if (obedience_ != nullptr) *obedience_ = how;
}

// A new thread stands before its start.
void Obey::spawned(const View& view, ThreadId child) {
  const Op start{.kind = OpKind::kStart};
  arrived({.thread = child, .name = view.name(child), .op = start});
}

void Obey::arrived(const Arrival& arrival) {
  const uint64_t after = is_after_call(arrival.op.kind, arrival.op.after) ? kAfterCall : 0;
  if (after == 0 && !is_directed(arrival.op.kind, arrival.op.after)) return;
  for_each_event([&](Event& event) {
    if (event.what.thread != arrival.name || event.what.pc != arrival.op.pc) return;
    if ((event.what.nth & kAfterCall) != after) return;
    if ((++event.arrivals | after) == event.what.nth) event.at = arrival.thread;
  });
  look_whether_satisfied();
}

void Obey::stepped(const Arrival& step, bool) {
  for (size_t i = 0; i < rules_.size() && !dropped_; ++i)
    if (rules_[i].target.at == step.thread && !may_go(i)) report(Obedience::kViolated);
  for_each_event([&](Event& event) {
    if (event.at != step.thread) return;
    event.at = kNoThread;
    event.performed = true;
  });
  pass_performed();
  look_whether_satisfied();
}

void Obey::pass_performed() {
  while (next_ < rules_.size() && rules_[next_].target.performed) ++next_;
}

// Also where nothing is decided any more, as in a deadlock.
void Obey::look_whether_satisfied() {
  if (dropped_ || rules_.empty()) return;
  for (const Rule& rule : rules_)
    if (!rule.target.performed && (rule.target.at == kNoThread || !sources_performed(rule))) return;
  report(Obedience::kSatisfied);
}

bool Obey::sources_performed(const Rule& rule) {
  for (const Event& source : rule.sources)
    if (!source.performed) return false;
  return true;
}

// A target whose thread may go on but can't, as in a deadlock, has happened.
void Obey::pass_blocked(const View& view) {
  while (next_ < rules_.size() && may_go(next_) && rules_[next_].target.at != kNoThread &&
         !view.enabled.has(rules_[next_].target.at)) {
    ++next_;
    pass_performed();
  }
}

bool Obey::is_held(ThreadId t) const {
  for (size_t i = next_; i < rules_.size(); ++i)
    if (rules_[i].target.at == t && !may_go(i)) return true;
  return false;
}

void Obey::decide(const View& view, Verdict& verdict) {
  if (!dropped_) pass_blocked(view);
  ThreadSet free;
  view.enabled.for_each([&](ThreadId t) {
    if (dropped_ || !is_held(t)) free.add(t);
  });
  if (free.empty()) report(Obedience::kDeadEnd);
  const ThreadSet& among = free.empty() ? view.enabled : free;
  verdict.first = by_priority_ ? highest_of(among, view) : any_of(among, rng_);
}

// A thread's priority is drawn by its ordinal, a timer's likewise.
ThreadId Obey::highest_of(const ThreadSet& among, const View& view) const {
  ThreadId highest = among.first();
  const auto priority = [&](ThreadId t) { return mix64(priorities_ ^ mix64(view.ordinal(t))); };
  among.for_each([&](ThreadId t) {
    if (priority(t) > priority(highest)) highest = t;
  });
  return highest;
}

}  // namespace snarl::policy
