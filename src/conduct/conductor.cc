#include "conduct/conductor.h"

#include "schedule/access.h"

namespace snarl {
namespace {

// So many that a few yields don't disturb the order that sleeps make, so few that a spin loop ends soon.
constexpr int kIdleYields = 16;

}  // namespace

void Conductor::begin(const Run& run, Policy& policy, Arena& arena, DecisionLog& log, Step& steps, Step budget,
                      Sleeps sleeps, const Watching& watching) {
  model_.begin(sleeps);
  fairness_.begin(run);
  const Traits traits = policy.traits();
  counter_ = watching.counter;
  named_ = traits.objects || counter_ != nullptr;
  if (named_) object_names_.begin(arena, watching.static_name);
  joined_.clear();
  log_ = &log;
  steps_ = &steps;
  *steps_ = 0;
  budget_ = budget;
  ask_at_ = 0;
  outside_ = nullptr;
  passed_over_.clear();
  impatient_.clear();
  idle_yields_ = 0;
  spins_.begin();
  spins_.spawned(kMainThread);
  spinners_.begin();
  spinners_.spawned(kMainThread);
  clock_reads_ = 0;
  last_ = kNoThread;
  quiet_row_ = 0;
  taken_[kMainThread] = 0;
  most_live_ = 1;
  timeouts_ = 0;
  Plan plan;
  const bool planned = policy.begin(run, arena, plan);
  policy_ = planned ? nullptr : &policy;
  told_ = !planned && traits.watches;
  watched_ = told_ || counter_ != nullptr;
  if (planned) {
    plan_.begin(plan);
    plan_.spawned(kMainThread, 0);
  }
  view_.pending = model_.pendings();
  view_.names = model_.names();
  view_.ordinals = model_.ordinals();
  view_.taken = taken_.data();
}

ThreadId Conductor::spawn(ThreadId parent, bool detached, uint64_t create_pc) {
  const ThreadId child = model_.spawn(parent, detached, create_pc);
  if (child == kNoThread) return child;
  taken_[child] = 0;
  spins_.spawned(child);
  spinners_.spawned(child);
  impatient_.remove(child);
  joined_.remove(child);
  if (named_) object_names_.spawned(child);
  if (counter_ != nullptr) counter_->spawned(model_.names()[child], model_.names()[parent]);
  if (static_cast<uint32_t>(model_.live_count()) > most_live_) most_live_ = static_cast<uint32_t>(model_.live_count());
  if (policy_ == nullptr) {
    plan_.spawned(child, model_.ordinals()[child]);
  } else {
    look(parent);
    policy_->spawned(view_, child);
  }
  return child;
}

const Choice& Conductor::arrive(ThreadId t, const Op& op) {
  last_ordinal_ = model_.ordinals()[t];
  last_taken_ = taken_[t];
  if (!model_.publish(t, op)) return answer(Turn::kFull, kNoThread, Reason::kNone);
  if (op.timed && policy_ == nullptr) plan_.timer_set(timer_of(t));
  if (op.timed) taken_[timer_of(t)] = 0;
  if (told_) policy_->arrived(arrival_of(t, op));
  return choose(t);
}

Arrival Conductor::arrival_of(ThreadId t, const Op& op) {
  const uint64_t name = model_.names()[t];
  return {t, name, named_ ? object_names_.name(accessed_object(op), t, name) : 0, op};
}

// What a thread does alone after it has waited for the others is no event: nothing can come between.
void Conductor::tell_step(ThreadId t, bool alone) {
  if (is_timer(t)) return;
  const Arrival step = arrival_of(t, did_);
  const bool event = !alone || !joined_.has(t);
  if (did_.kind == OpKind::kJoin) joined_.add(t);
  if (counter_ != nullptr && event) counter_->count(step.name, step.object);
  if (told_) policy_->stepped(step, event);
}

const Choice& Conductor::leave(ThreadId) { return choose(kNoThread); }

int Conductor::take(ThreadId t) {
  did_ = model_.pending(t);
  quiet_row_ = !is_quiet(did_.kind) ? 0 : t == last_ ? quiet_row_ + 1 : 1;
  last_ = t;
  last_ordinal_ = model_.ordinals()[t];
  last_taken_ = ++taken_[t];
  const Spinners::Found found = is_timer(t) ? Spinners::Found::kNothing : spinners_.stepped(t, did_, *steps_);
  const bool spins = found == Spinners::Found::kSpins;
  const bool yields = gives_way(t, spins);
  if (yields || !passed_over_.empty()) pass_over(t, yields);
  if (spins || did_.kind == OpKind::kYield || did_.kind == OpKind::kTestCancel) pass_time();
  const bool alone = model_.live_count() < 2;
  if (!alone) {
    const Step step = ++*steps_;
    if (policy_ == nullptr) plan_.stepped(step, t);
  }
  const int result = model_.perform(t);
  if (result == kInterrupted)
    did_.kind = OpKind::kHandler;
  else if (watched_)
    tell_step(t, alone);
  if (model_.clock_reads() != clock_reads_ || found == Spinners::Found::kChange) spins_.progress();
  clock_reads_ = model_.clock_reads();
  spins_.stepped(t, did_, result, spins);
  return result;
}

// Does nothing that happens at a step matter to anybody but the one who takes it?
bool Conductor::is_calm(ThreadId t) const {
  if (watched_ || !passed_over_.empty() || spins_.is_suspicious() || model_.has_signal(t)) return false;
  return outside_ == nullptr || !outside_->any();
}

Step Conductor::allowance(ThreadId t) const {
  if (!is_calm(t)) return 0;
  const Step unwatched = spinners_.free_steps(t);
  const Step row = t == last_ ? quiet_row_ : 0;
  const Step look = kQuietLook - 1 - row % kQuietLook;
  const Step until_look = look < unwatched ? look : unwatched;
  if (model_.live_count() < 2) return until_look;
  const Step end = budget_ != 0 && budget_ < ask_at_ ? budget_ : ask_at_;
  if (*steps_ >= end || !hold_stands(t)) return 0;
  return end - *steps_ < until_look ? end - *steps_ : until_look;
}

void Conductor::passed(ThreadId t, Step steps) {
  if (steps == 0) return;
  quiet_row_ = t == last_ ? quiet_row_ + steps : steps;
  last_ = t;
  did_ = Op{.kind = OpKind::kAfter};
  last_ordinal_ = model_.ordinals()[t];
  last_taken_ = taken_[t] += steps;
  if (model_.live_count() < 2) {
    ask_at_ = 0;
  } else {
    *steps_ += steps;
    if (policy_ == nullptr) plan_.stepped(*steps_, t);
  }
  if (model_.clock_reads() != clock_reads_) spins_.progress();
  clock_reads_ = model_.clock_reads();
  spins_.passed(steps);
  spinners_.skipped(t, steps);
}

// All that could go on must have spun, or it would be the policy that keeps somebody from ending it. The
// same for whoever sleeps or waits with a deadline; those who wait for something outside may be helped any time.
bool Conductor::all_have_spun() {
  bool all = outside_ == nullptr || !outside_->any();
  model_.live().for_each([&](ThreadId t) {
    if (model_.enabled().has(t) || model_.pending(t).timed) all &= spins_.has_spun(t);
  });
  return all;
}

bool Conductor::spins_for_good() {
  if (outside_ != nullptr && !outside_->pause()) spins_.progress();
  return spins_.has_spun_long() && all_have_spun();
}

// A yield gives way to all others. So does every second timed wait that runs out of time, and every second test
// for cancellation: a loop of them ends, and what follows the first can still come before anybody else's next step.
bool Conductor::gives_way(ThreadId t, bool spins) {
  if (spins) return true;
  if (did_.kind != OpKind::kTimeout && did_.kind != OpKind::kTestCancel) return did_.kind == OpKind::kYield;
  if (is_alarm(t)) return true;  // it may be set again: one that repeats must let the others run
  const ThreadId who = is_timer(t) ? thread_of_timer(t) : t;
  const bool second = impatient_.has(who);
  impatient_.put(who, !second);
  return second;
}

// Those who can run all yield, and may be waiting for one that sleeps.
void Conductor::pass_time() {
  bool idle = true;
  model_.enabled().for_each([&](ThreadId t) { idle &= is_timer(t) || passed_over_.has(t); });
  if (!idle || ++idle_yields_ < kIdleYields) return;
  idle_yields_ = 0;
  model_.advance_time();
  tell_fired();
}

// `t` takes a step: those who gave way no longer wait for it.
void Conductor::pass_over(ThreadId t, bool gives_way) {
  const ThreadId who = is_timer(t) && !is_alarm(t) ? thread_of_timer(t) : t;
  passed_over_.remove(who);
  passed_over_.for_each([&](ThreadId u) { lets_go_[place_in_line(u)].remove(who); });
  if (!gives_way) return;
  lets_go_[place_in_line(who)] = model_.live();
  lets_go_[place_in_line(who)].remove(who);
  passed_over_.add(who);
}

// `at` is at a point, or kNoThread if the thread that had the turn has ended. Timers that
// are chosen on the way fire here: they have no code to run.
const Choice& Conductor::choose(ThreadId at) {
  ThreadId from = at;
  Reason reason = Reason::kNone;
  for (;;) {
    if (model_.live_count() == 0) return answer(Turn::kAllEnded, kNoThread, Reason::kNone);
    if (const Turn turn = await_somebody(); turn != Turn::kGo) return answer(turn, kNoThread, Reason::kNone);
    if (spins_.wants_look() && spins_for_good()) return answer(Turn::kLivelock, kNoThread, Reason::kNone);
    if (model_.live_count() == 1) {
      if (fire_alone()) continue;
      return go_alone(at);
    }
    if (budget_ != 0 && *steps_ >= budget_) {
      const bool turns = spins_.has_turned_long() && all_have_spun();
      return answer(turns ? Turn::kLivelock : Turn::kBudget, kNoThread, Reason::kNone);
    }
    const ThreadId next = pick(from);
    if (next == kNoThread) return answer(Turn::kDiverged, kNoThread, Reason::kNone);
    if (next == from) return answer(Turn::kGo, next, Reason::kNone);
    if (from == at) reason = reason_to_leave(at);  // before a timer changes that
    record(from, next);
    if (!is_timer(next)) return answer(Turn::kGo, next, next == at ? Reason::kNone : reason);
    take(next);
    ++timeouts_;
    tell_fired();
    from = kNoThread;
  }
}

// Until somebody is enabled. A deadline comes at once, unless a thread waits for something
// outside: then time runs no faster than the real one, in which that must come.
Turn Conductor::await_somebody() {
  const bool outside = outside_ != nullptr && outside_->any();
  if (outside) outside_->look(model_);
  while (model_.enabled().empty()) {
    const bool hope = outside && outside_->may_come();
    const uint64_t patience = model_.time_to_deadline();
    if (hope && patience != 0 && !outside_->wait(model_, patience)) return Turn::kHang;
    if (!model_.enabled().empty()) break;
    if (!model_.advance_time() && !hope) return Turn::kDeadlock;
    if (tell_fired() && outside) outside_->look(model_);
  }
  return Turn::kGo;
}

// One thread is left: there is nothing to decide, and nothing counts as a step.
const Choice& Conductor::go_alone(ThreadId at) {
  ask_at_ = 0;
  return answer(Turn::kGo, model_.enabled().first(), at == kNoThread ? Reason::kEnded : Reason::kNone);
}

bool Conductor::fire_alone() {
  const ThreadId first = model_.enabled().first();  // a thread, if one is enabled: timers have higher slots
  if (!is_timer(first)) return false;
  model_.perform(first);
  tell_fired();
  return true;
}

void Conductor::set_alarm(int alarm, uint64_t deadline, bool patient) {
  const ThreadId slot = alarm_slot(alarm);
  if (policy_ == nullptr) plan_.timer_set(slot);
  taken_[slot] = 0;
  model_.set_alarm(alarm, deadline, patient);
}

// Whoever set an alarm may set it again in the same breath, and others with it.
bool Conductor::tell_fired() {
  bool any = false;
  for (int alarm = 0; (alarm = model_.take_fired()) >= 0;) {
    any = true;
    if (outside_ != nullptr) outside_->fired(model_, alarm);
    if (!model_.is_set(alarm)) passed_over_.remove(alarm_slot(alarm));
  }
  return any;
}

// `steps` more than the next one.
void Conductor::hold(Step steps) {
  const Step now = *steps_ + 1;
  ask_at_ = steps > ~now ? ~Step{0} : now + steps;
  if (ask_at_ > fairness_.next()) ask_at_ = fairness_.next();
}

ThreadId Conductor::pick(ThreadId at) {
  if (*steps_ < ask_at_ && hold_stands(at)) return at;
  ThreadId next = policy_ == nullptr ? ask_plan() : ask_policy(at);
  model_.forget_gained();
  if (*steps_ >= fairness_.next() && next != kNoThread) next = let_others(next);
  return next;
}

// This one choice is not the policy's. Of a parallel plan, only those starve that wait for all others.
ThreadId Conductor::let_others(ThreadId chosen) {
  ThreadSet others = eligible();
  others.remove(chosen);
  if (policy_ == nullptr)
    if (const ThreadSet low = plan_.low(others); !low.empty()) others = low;
  const ThreadId other = fairness_.override_at(*steps_, others);
  if (other == kNoThread) return chosen;
  ask_at_ = 0;
  return other;
}

bool Conductor::hold_stands(ThreadId at) const {
  if (at == kNoThread || !model_.enabled().has(at) || !passed_over_.empty()) return false;
  if (model_.gained().empty()) return true;
  return !verdict_.unless_any && !model_.gained().intersects(verdict_.unless);
}

// A thread that yielded is not eligible until every other one that can has taken a step: otherwise threads of high
// priority that spin, alone or in turn, would never let the one run that they wait for. Somebody is always
// eligible: of those passed over, the first to yield waits for none of the others.
ThreadSet Conductor::eligible() {
  ThreadSet result = model_.enabled();
  passed_over_.for_each([&](ThreadId t) {
    if (lets_go_[place_in_line(t)].intersects(model_.enabled())) result.remove(t);
  });
  if (!spinners_.any_held()) return result;
  ThreadSet others = result;  // of those who wait for memory to change, only if there is nobody else
  spinners_.held(*steps_).for_each([&](ThreadId t) { others.remove(t); });
  return others.empty() ? result : others;
}

ThreadId Conductor::ask_plan() {
  verdict_.unless_any = true;
  const ThreadId best = plan_.best(eligible());
  hold(plan_.drew() ? 0 : plan_.steps_to_change(*steps_));
  return best;
}

void Conductor::look(ThreadId at) {
  view_.step = *steps_;
  view_.last = at;
  view_.last_ordinal = last_ordinal_;
  view_.did = did_;
  view_.at = place_of(at);
  view_.live = model_.live();
  view_.enabled = eligible();
}

ThreadId Conductor::ask_policy(ThreadId at) {
  ask(at);
  if (verdict_.awaits != kNoThread && await_recorded(verdict_.awaits, verdict_.hides)) ask(at);
  if (verdict_.diverged) {
    expected_ = verdict_.expected;
    got_ = decision_at(at);
    return kNoThread;
  }
  hold(verdict_.hold);
  SNARL_CHECK(verdict_.first != kNoThread && model_.enabled().has(verdict_.first));
  return verdict_.first;
}

void Conductor::ask(ThreadId at) {
  look(at);
  verdict_ = Verdict();
  policy_->decide(view_, verdict_);
}

// What comes from outside comes later in a replay, or earlier, than it did.
bool Conductor::await_recorded(ThreadId t, bool hides) {
  if (outside_ == nullptr) return false;
  if (!hides) return outside_->wait_for(model_, t);
  model_.set_ready(t, false);
  return true;
}

Reason Conductor::reason_to_leave(ThreadId at) const {
  if (at == kNoThread) return Reason::kEnded;
  if (!model_.enabled().has(at)) return Reason::kBlocked;
  return passed_over_.has(at) ? Reason::kYielded : Reason::kPreempted;
}

// What the thread at the point is about to do; kExit if it has ended.
const Op& Conductor::place_of(ThreadId at) const {
  static constexpr Op kEnded{.kind = OpKind::kExit};
  return at == kNoThread ? kEnded : model_.pending(at);
}

Decision Conductor::decision_at(ThreadId at) const {
  Decision decision;
  decision.step = *steps_;
  decision.pc = place_of(at).pc;
  decision.nth = last_taken_;
  decision.from = last_ordinal_;
  decision.kind = place_of(at).kind;
  decision.reason = reason_to_leave(at);
  return decision;
}

void Conductor::record(ThreadId at, ThreadId next) {
  Decision decision = decision_at(at);
  decision.to = model_.ordinals()[next];
  log_->add(decision);
}

}  // namespace snarl
