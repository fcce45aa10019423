#include "policy/speed.h"

#include <algorithm>
#include <cmath>

#include "policy/pct.h"

namespace snarl::policy {
namespace {

constexpr double kNever = 0x1p1000;

}  // namespace

// Not the points that stand for something else than a call: what a thread takes after a call has returned, the second
// half of a wait, a thread's begin and end, and instructions.
bool is_call(const Op& op) {
  constexpr OpKinds kOthers = {OpKind::kNone,        OpKind::kStart,     OpKind::kExit,    OpKind::kReacquire,
                               OpKind::kAfter,       OpKind::kTimeout,   OpKind::kHandler, OpKind::kBarrierPass,
                               OpKind::kFutexWoken,  OpKind::kRead,      OpKind::kWrite,   OpKind::kAtomicLoad,
                               OpKind::kAtomicStore, OpKind::kAtomicRmw, OpKind::kFence,   OpKind::kPause,
                               OpKind::kFree};
  return !kOthers.has(op.kind);
}

Traits Speed::traits(const PolicySpec& spec) const {
  const bool parallel = value_of(spec, SpeedParameter::kMode) == static_cast<double>(SpeedMode::kParallel);
  return {.parallel = parallel,
          .also_serial = true,
          .steady = true,
          .counts = spec.given == static_cast<uint32_t>(SpeedText::kNone) && !parallel,
          .watches = counts_functions(spec)};
}

bool Speed::begin(const Run& run, Arena& arena, Plan& plan) {
  vector_.begin(run, arena);
  if (run.settings.parallel) {
    plan_free(run, plan);
    plan.speeds = &vector_;
    plan.interval = static_cast<uint64_t>(value_of(run.key.policy, SpeedParameter::kInterval));
    return true;
  }
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  paces_ = arena.room<Pace>(kMaxSlots);
  functions_ = counts_functions(run.key.policy);
  early_timers_ = rng_.below(kEarlyTimers) == 0;
  now_ = 0;
  chosen_ = kMainThread;
  timers_.clear();
  add(kMainThread, vector_.of(0, 0));
  return false;
}

void Speed::spawned(const View& view, ThreadId child) {
  catch_up(view);
  if (chosen_ == child) chosen_ = kNoThread;  // an earlier thread of that slot
  add(child, vector_.of(view.ordinal(child), view.name(child)));
}

// A call of libc is seen twice where the slot that it goes through is patched: there, and by its hook.
void Speed::stepped(const Arrival& step, bool) {
  if (!is_call(step.op)) return;
  Pace& pace = paces_[step.thread];
  const bool is_entry = step.op.kind == OpKind::kFunction;
  const bool is_known = !is_entry && pace.returns_to == step.op.pc && step.op.pc != 0;
  pace.returns_to = is_entry ? step.op.object : 0;
  pace.calls += !is_known;
}

// It was due at each of the events that it has had since.
void Speed::catch_up(const View& view, ThreadId t) {
  if (t == kNoThread || is_timer(t)) return;
  Pace& pace = paces_[t];
  const uint64_t executed = functions_ ? pace.calls : view.taken(t);
  if (executed <= pace.seen) return;
  pace.due += static_cast<double>(executed - pace.seen) / pace.speed;
  pace.seen = executed;
  now_ = std::max(now_, pace.due - 1 / pace.speed);
}

// Since the last decision only that thread has run, and perhaps another one that was not our choice.
void Speed::catch_up(const View& view) {
  catch_up(view, chosen_);
  catch_up(view, view.last);
}

// The part of an event that a thread has still to wait for takes it as long as its new speed says.
void Speed::change_speeds(const View& view) {
  vector_.next_part();
  view.live.for_each([&](ThreadId t) {
    Pace& pace = paces_[t];
    const double left = std::clamp((pace.due - now_) * pace.speed, 0., 1.);
    pace.speed = vector_.of(view.ordinal(t), view.name(t));
    pace.due = now_ + left / pace.speed;
  });
}

void Speed::note_timers(const ThreadSet& timers) {
  timers.for_each([&](ThreadId t) {
    if (timers_.has(t)) return;
    add(t, static_cast<double>(rng_.below(1u << 20) + 1) * 0x1p-20);
    paces_[t].due += 1 / paces_[t].speed;
  });
  timers_ = timers;
}

// Each of those that are due first is equally likely. `next`: when another one is due.
ThreadId Speed::most_due(const ThreadSet& among, double& next) {
  ThreadId first = kNoThread;
  uint64_t tied = 0;
  next = kNever;
  among.for_each([&](ThreadId t) {
    const double due = paces_[t].due = std::max(paces_[t].due, now_);
    if (first == kNoThread || due < paces_[first].due) {
      if (first != kNoThread) next = paces_[first].due;
      first = t;
      tied = 1;
      return;
    }
    next = std::min(next, due);
    if (due == paces_[first].due && rng_.below(++tied) == 0) first = t;
  });
  return first;
}

void Speed::decide(const View& view, Verdict& verdict) {
  catch_up(view);
  while (view.step >= vector_.next_change()) change_speeds(view);
  const ThreadSet threads = view.threads();
  if (early_timers_) note_timers(view.deadlines());
  if (threads.empty()) {
    chosen_ = kNoThread;
    verdict.first = any_of(view.enabled, rng_);
    return;
  }
  double next = kNever;
  verdict.first = most_due(early_timers_ ? view.enabled : threads, next);
  chosen_ = verdict.first;
  const Pace& pace = paces_[verdict.first];
  now_ = pace.due;
  const double before_next = std::ceil((next - pace.due) * pace.speed);  // its events until another one is due
  const Step until_change = vector_.next_change() - view.step;
  if (before_next > 1) verdict.hold = before_next < 0x1p62 ? static_cast<Step>(before_next) - 1 : ~Step{0};
  verdict.hold = std::min(verdict.hold, until_change - 1);
}

}  // namespace snarl::policy
