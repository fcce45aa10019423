#include "conduct/crew.h"

namespace snarl::conduct {

void Crew::begin(const policy::Plan& plan) {
  plan_.begin(plan);
  parallel_above_ = plan.parallel_above;
  enabled_.clear();
  low_.clear();
  away_.clear();
  low_steps_ = 0;
  live_count_ = enabled_count_ = high_enabled_ = 0;
  stepping_ = kNoThread;
  spawned(kMainThread, 0);
  if (low_.has(kMainThread)) stepping_ = kMainThread;
}

void Crew::spawned(ThreadId t, uint32_t ordinal) {
  plan_.spawned(t, ordinal);
  low_.put(t, plan_.rank(t) <= parallel_above_);
  ++live_count_;
  set_enabled(t, true);
}

void Crew::ended(ThreadId t) {
  block(t);
  --live_count_;
}

void Crew::block(ThreadId t) {
  rest(t);
  set_enabled(t, false);
}

void Crew::enable(ThreadId t) { set_enabled(t, true); }

void Crew::set_enabled(ThreadId t, bool enabled) {
  if (enabled_.has(t) == enabled) return;
  enabled_.put(t, enabled);
  const int change = enabled ? 1 : -1;
  enabled_count_ += change;
  if (is_high(t)) high_enabled_ += change;
}

void Crew::lower(ThreadId t, policy::Rank rank) {
  rest(t);
  plan_.lower(t, rank);
  if (low_.has(t) || rank > parallel_above_) return;
  if (enabled_.has(t)) --high_enabled_;
  low_.add(t);
}

void Crew::rest(ThreadId t) {
  if (away_.has(t)) {
    away_.remove(t);
    if (is_high(t)) ++high_enabled_;
  }
  if (stepping_ == t) stepping_ = kNoThread;
}

ThreadSet Crew::waiting_low() const {
  ThreadSet result;
  low_.for_each([&](ThreadId t) {
    if (enabled_.has(t) && t != stepping_ && !away_.has(t)) result.add(t);
  });
  return result;
}

ThreadId Crew::admit() {
  if (high_enabled_ != 0 || stepping_ != kNoThread) return kNoThread;
  const ThreadSet waiting = waiting_low();
  if (waiting.empty()) return kNoThread;
  ++low_steps_;
  return stepping_ = plan_.best(waiting);
}

void Crew::leave_alone(ThreadId t) {
  if (!is_before_others(t)) return;
  if (is_high(t)) --high_enabled_;
  if (stepping_ == t) stepping_ = kNoThread;
  away_.add(t);
}

ThreadId Crew::admit_starving(Rng& rng, ThreadId but) {
  if (stepping_ != kNoThread) return kNoThread;
  ThreadSet waiting = waiting_low();
  if (but != kNoThread) waiting.remove(but);
  if (waiting.empty()) return kNoThread;
  return stepping_ = waiting.nth(static_cast<int>(rng.below(static_cast<uint64_t>(waiting.size()))));
}

// If no thread is held back, no timer comes early either.
bool Crew::draws_high_timer(ThreadId t) {
  if (parallel_above_ == 0) return false;
  plan_.timer_set(timer_of(t));
  return plan_.rank(timer_of(t)) > parallel_above_;
}

bool Crew::others_enabled(ThreadId but) const { return enabled_count_ > (enabled_.has(but) ? 1 : 0); }

}  // namespace snarl::conduct
