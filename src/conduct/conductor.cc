#include "conduct/conductor.h"

#include <algorithm>

#include "schedule/access.h"

namespace snarl::conduct {
void Conductor::begin(const Run& run, policy::Policy& policy, Arena& arena, DecisionLog& log, Step& steps, Step budget,
                      model::Sleeps sleeps, const Watching& watching) {
  model_.begin(sleeps);
  fairness_.begin(run);
  const policy::Traits traits = policy.traits(run.key.policy);
  counter_ = watching.counter;
  grouped_ = traits.groups || watching.groups.learn != 0;
  group_by_ = traits.group_by;
  if (__builtin_expect(grouped_, 0)) groups_.begin(arena, watching.groups, group_by_);
  named_ = traits.objects || counter_ != nullptr;
  if (__builtin_expect(named_, 0)) object_names_.begin(arena, watching.static_name);
  pairs_.begin(arena, traits.sites || counter_ != nullptr ? watching.pairs : PairList());
  sited_ = traits.sites || pairs_.is_on();
  if (__builtin_expect(sited_, 0)) sites_.begin(arena, watching.sites), site_at_[kMainThread] = 0;
  order_.begin(watching.order, watching.static_name, model_.slots());
  ordered_ = false;
  joined_.clear();
  log_ = &log;
  steps_ = &steps;
  *steps_ = 0;
  given_budget_ = budget;
  budget_ = budget == 0 ? ~Step{0} : budget;
  follows_ = !run.follow.empty();
  continuation_.begin_run();
  end_hold();
  set_outside(nullptr);
  passed_over_.clear();
  moves_ = 0;
  ways_[kMainThread] = {};
  idle_rounds_ = 0;
  idle_taken_ = 0;
  idle_steps_ = 0;
  hurries_ = false;
  times_passed_over_ = 0;
  spins_.begin();
  spins_.spawned(kMainThread);
  spinners_.begin();
  spinners_.spawned(kMainThread);
  clock_reads_ = 0;
  last_ = kNoThread;
  quiet_row_ = 0;
  model_.taken(kMainThread) = 0;
  timeouts_ = chosen_deadlines_ = 0;
  policy::Plan plan;
  const bool planned = policy.begin(run, arena, plan);
  policy_ = planned ? nullptr : &policy;
  told_ = !planned && traits.watches;
  watched_ = told_ || counter_ != nullptr || grouped_ || sited_;
  consults_always_ = watched_ || watching.steps;
  only_traced_ = watching.steps && !watched_;
  if (planned) {
    plan_.begin(plan);
    plan_.spawned(kMainThread, 0);
  } else {
    plan_.rest();
  }
  view_.slots = model_.slots();
}

constexpr uint32_t kMostBetweenAlarms = 64;  // steps: enough for a thread to take a lock or two and return to its wait

void Conductor::set_alarm(int alarm, uint64_t deadline, bool patient, bool again, uint64_t pc) {
  const ThreadId slot = alarm_slot(alarm);
  if (policy_ == nullptr) plan_.timer_set(slot);
  model_.taken(slot) = 0;
  model_.set_alarm(alarm, deadline, patient, pc);
  if (!again) {
    ways_[slot] = {};
    return;
  }
  if (++ways_[slot].handled <= kPatience) return;
  // The more often it comes, the more steps the others get, so a thread that waits for a lock whenever it comes also
  // gets that far.
  pass_over(slot, true);
  ways_[slot].moved += std::min(ways_[slot].handled - kPatience, kMostBetweenAlarms);
}

ThreadId Conductor::spawn(ThreadId parent, bool detached, uint64_t create_pc) {
  const ThreadId child = model_.spawn(parent, detached, create_pc);
  if (child == kNoThread) return child;
  model_.taken(child) = 0;
  spins_.spawned(child);
  spinners_.spawned(child);
  ways_[child] = {.moved = ++moves_};
  joined_.remove(child);
  if (__builtin_expect(named_ || grouped_ || sited_, 0)) tell_spawned(parent, child);
  if (order_.is_wanted()) {
    ordered_ = true;
    order_.spawned(parent, child);
  }
  if (__builtin_expect(policy_ == nullptr, 1))
    plan_.spawned(child, model_.ordinal(child));
  else
    tell_policy_spawned(parent, child);
  return child;
}

void Conductor::tell_spawned(ThreadId parent, ThreadId child) {
  if (named_) object_names_.spawned(child);
  if (grouped_) groups_.spawned(child);
  if (sited_) site_at_[child] = 0;
  if (counter_ != nullptr) counter_->spawned(model_.name(child), model_.name(parent));
}

void Conductor::tell_policy_spawned(ThreadId parent, ThreadId child) {
  look(parent);
  policy_->spawned(view_, child);
}

void Conductor::set_timer(ThreadId t) {
  if (policy_ == nullptr) plan_.timer_set(timer_of(t));
  model_.taken(timer_of(t)) = 0;
  if (ordered_) order_.set_deadline(t);
}

void Conductor::tell_arrival(ThreadId t, const Op& op) {
  const uint64_t group = grouped_ ? groups_.arrived(group_by_, op, t, model_.name(t)) : 0;
  const uint64_t site = sited_ ? site_at_[t] = sites_.name(op) : 0;
  if (!told_) return;
  policy::Arrival arrival = arrival_of(t, op);
  arrival.group = group;
  arrival.site = site;
  policy_->arrived(arrival);
}

policy::Arrival Conductor::arrival_of(ThreadId t, const Op& op) {
  const uint64_t name = model_.name(t);
  return {t, name, named_ ? object_names_.name(accessed_object(op), t, name) : 0, 0, 0, op};
}

// What a thread does alone after it has joined the others is not an event: nothing can come between.
void Conductor::tell_step(ThreadId t, const Op& did, bool alone) {
  if (is_timer(t)) return;
  const policy::Arrival step = arrival_of(t, did);
  const bool event = !alone || !joined_.has(t);
  if (did.kind == OpKind::kJoin) joined_.add(t);
  if (counter_ != nullptr && event) counter_->count(step.name, step.object);
  if (pairs_.is_on()) list_pairs(t, did, alone);
  if (told_) policy_->stepped(step, event);
}

void Conductor::list_pairs(ThreadId t, const Op& did, bool alone) {
  const uint64_t site = std::exchange(site_at_[t], 0);
  if (site != 0 && !alone) pairs_.stepped(t, did, site);
}

// The thread that ran before may have read the clock.
void Conductor::tell_order(ThreadId t, const Op& did, int result, ThreadId before) {
  tell_clock_read(before);
  if (is_timer(t))
    order_.fired(t, model_.live());
  else if (result == model::kInterrupted)
    order_.interrupted(t);
  else
    order_.stepped(t, did, result);
}

int Conductor::take(ThreadId t) {
  const Op& op = model_.pending(t);
  OpKind kind = op.kind;
  if (__builtin_expect(policy_ != nullptr, 0)) view_.did = op;
  quiet_row_ = (row_of(t) + 1) & -Step{is_quiet(kind)};
  const ThreadId before = last_;
  last_ = t;
  last_ordinal_ = model_.ordinal(t);
  last_taken_ = ++model_.taken(t);
  const bool watched_for_spins = __builtin_expect(!is_timer(t), 1);
  const Spinners::Found found = watched_for_spins ? spinners_.stepped(t, op, *steps_) : Spinners::Found::kNothing;
  const bool spins = found == Spinners::Found::kSpins;
  const bool makes = spins || (is_idle(kind) && makes_way(t, op));
  if (__builtin_expect(makes || !passed_over_.empty(), 0)) pass_over(t, makes);
  if (__builtin_expect(makes, 0) && kind != OpKind::kTimeout) pass_time();
  const bool alone = model_.live_count() < 2;
  if (__builtin_expect(!alone, 1)) {
    const Step step = ++*steps_;
    plan_.stepped(step, t);
  }
  const int result = model_.perform(t);
  if (__builtin_expect(result == model::kInterrupted, 0))
    view_.did.kind = kind = OpKind::kHandler;
  else if (__builtin_expect(watched_, 0))
    tell_step(t, op, alone);
  if (__builtin_expect(ordered_, 0)) tell_order(t, op, result, before);
  look_at_clock();
  if (__builtin_expect(found == Spinners::Found::kChange, 0)) spins_.progress();
  spins_.stepped(t, kind, result, spins);
  return result;
}

}  // namespace snarl::conduct
