// Which thread is next: what is waited for, what is left to choose, and which thread the plan or the policy names. The
// part that most choices need, down to choose(), is inlined into it; the rest is called.
#include "conduct/quick.h"

namespace snarl::conduct {

[[gnu::always_inline]] inline Reason Conductor::reason_to_leave(ThreadId at) const {
  if (at == kNoThread) return Reason::kEnded;
  if (!model_.enabled().has(at)) return Reason::kBlocked;
  return passed_over_.has(at) ? Reason::kYielded : Reason::kPreempted;
}

[[gnu::always_inline]] inline void Conductor::describe(Decision& decision, ThreadId at, Reason reason) const {
  const bool ended = at == kNoThread;
  decision.step = *steps_;
  decision.pc = ended ? 0 : model_.pending(at).pc;
  decision.nth = last_taken_;
  decision.from = last_ordinal_;
  decision.kind = ended ? OpKind::kExit : model_.pending(at).kind;
  decision.reason = reason;
}

[[gnu::always_inline]] inline void Conductor::record(ThreadId at, ThreadId next, Reason reason) {
  Decision& decision = log_->room_for_next();
  describe(decision, at, reason);
  decision.to = model_.ordinal(next);
  log_->add(decision);
}

[[gnu::always_inline]] inline ThreadId Conductor::best_by_plan() {
  const bool all = passed_over_.empty() && !spinners_.any_held();
  return __builtin_expect(all, 1) ? plan_.best(model_.enabled()) : best_of_eligible();
}

[[gnu::always_inline]] inline ThreadId Conductor::consult_plan() {
  verdict_.unless_any = true;
  const ThreadId best = best_by_plan();
  hold_until(__builtin_expect(plan_.drew(), 0) ? *steps_ + 1 : plan_.next_change());
  return best;
}

[[gnu::always_inline]] inline ThreadId Conductor::pick(ThreadId at) {
  const bool is_due = fairness_.is_due(*steps_);
  if (passed_over_.empty() && *steps_ < hold_until_ && !is_due && hold_stands(at)) {
    bound_hold();
    return at;
  }
  const ThreadId next = __builtin_expect(policy_ == nullptr, 1) ? consult_plan() : consult_policy(at);
  model_.forget_gained();
  return __builtin_expect(is_due && next != kNoThread, 0) ? let_others(next) : next;
}

// Is a decision all that is needed?
[[gnu::always_inline]] inline bool Conductor::is_plain() const {
  if (model_.live_count() < 2 || model_.enabled().empty() || *steps_ >= budget_) return false;
  return !spins_.is_suspicious() && !*any_outside_;
}

// `from` is `at`, or kNoThread after a timer. `reason` is why `at` does not continue, as it was before a timer changed
// that.
[[gnu::always_inline]] inline const Choice* Conductor::decide(ThreadId at, ThreadId from, Reason& reason) {
  return settle_on(pick(from), at, from, reason);
}

// `next` takes the next step: null if that is a timer, which has fired now.
[[gnu::always_inline]] inline const Choice* Conductor::settle_on(ThreadId next, ThreadId at, ThreadId from,
                                                                 Reason& reason) {
  if (__builtin_expect(next == kNoThread, 0)) return &answer(Turn::kDiverged, kNoThread, Reason::kNone);
  if (next == from) return &answer(Turn::kGo, next, Reason::kNone);
  const Reason leaves = reason_to_leave(from);
  if (from == at) reason = leaves;
  record(from, next, leaves);
  if (__builtin_expect(!is_timer(next), 1)) return &answer(Turn::kGo, next, next == at ? Reason::kNone : reason);
  fire(next, from);
  return nullptr;
}

// Not inlined: most choices are made at the first attempt.
const Choice* Conductor::decide_again(ThreadId at, ThreadId from, Reason& reason) {
  if (__builtin_expect(!continuation_.is_on(), 1)) return decide(at, from, reason);
  return settle_on(continuation_.next(model_.enabled(), from), at, from, reason);
}

// A chosen timer fires at once: it has no code to run.
void Conductor::fire(ThreadId timer, ThreadId from) {
  note_chosen(timer, from);
  take(timer);
  ++timeouts_;
  tell_fired();
}

// Time passes though a thread can run: the thread at the point or, if that can't, the first.
void Conductor::note_chosen(ThreadId timer, ThreadId from) {
  const ThreadId first = model_.enabled().first();
  const uint64_t span = model_.time_to(timer);
  if (is_timer(first) || span == 0) return;
  const ThreadId other = from != kNoThread && model_.enabled().has(from) ? from : first;
  ++chosen_deadlines_;
  chosen_deadline_ = {span, model_.pending(timer).pc, model_.pending(other).pc, model_.ordinal(timer),
                      model_.ordinal(other)};
}

// `at` is at a point; kNoThread if the thread that had the turn has ended.
const Choice& Conductor::choose(ThreadId at) {
  Reason reason = Reason::kNone;
  if (__builtin_expect(!is_plain(), 0)) return look_and_choose(at, at, reason);
  const Choice* choice = decide(at, at, reason);
  return __builtin_expect(choice != nullptr, 1) ? *choice : look_and_choose(at, kNoThread, reason);
}

const Choice& Conductor::arrive(ThreadId t, const Op& op) {
  last_ordinal_ = model_.ordinal(t);
  last_taken_ = model_.taken(t);
  if (__builtin_expect(!model_.publish(t, op), 0)) return answer(Turn::kFull, kNoThread, Reason::kNone);
  if (__builtin_expect(op.timed, 0)) set_timer(t);
  if (__builtin_expect(grouped_ || told_ || sited_, 0)) tell_arrival(t, op);
  return choose(t);
}

const Choice& Conductor::leave(ThreadId) { return choose(kNoThread); }

const Choice& Conductor::look_and_choose(ThreadId at, ThreadId from, Reason reason) {
  for (;;) {
    if (model_.live_count() == 0) return answer(Turn::kAllEnded, kNoThread, Reason::kNone);
    if (model_.enabled().empty() || *any_outside_)
      if (const Turn turn = await_somebody(); turn != Turn::kGo) return answer(turn, kNoThread, Reason::kNone);
    if (continuation_.is_on()) {
      if (continuation_.is_over()) return answer(end_of_continuation(), kNoThread, Reason::kNone);
    } else if (spins_.wants_look() && spins_for_good()) {
      if (follows_) return answer(Turn::kLivelock, kNoThread, Reason::kNone);
      continue_fairly(at);
    }
    if (model_.live_count() == 1) {
      const ThreadId first = model_.enabled().first();  // a thread, if one is enabled: timers have higher slots
      if (__builtin_expect(!is_timer(first), 1)) return go_alone(at);
      fire_alone(first);
      continue;
    }
    if (*steps_ >= budget_)
      if (const Turn turn = at_budget(at); turn != Turn::kGo) return answer(turn, kNoThread, Reason::kNone);
    if (const Choice* choice = decide_again(at, from, reason)) return *choice;
    from = kNoThread;
  }
}

// Waits until a thread is enabled. A deadline comes at once, unless a thread waits for something outside: then time
// runs no faster than real time, in which that must come.
Turn Conductor::await_somebody() {
  const bool outside = *any_outside_;
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
  end_hold();
  return answer(Turn::kGo, model_.enabled().first(), at == kNoThread ? Reason::kEnded : Reason::kNone);
}

void Conductor::fire_alone(ThreadId timer) {
  model_.perform(timer);
  tell_fired();
}

// The program may set an alarm again, and others with it, while it is told of this one.
bool Conductor::tell_fired() {
  bool any = false;
  for (int alarm = 0; (alarm = model_.take_fired()) >= 0;) {
    any = true;
    if (outside_ != nullptr) outside_->fired(model_, alarm);
    if (!model_.is_set(alarm)) passed_over_.remove(alarm_slot(alarm));
  }
  return any;
}

// All threads that could run must have spun; otherwise it would be the policy that keeps a thread from ending it. The
// same holds for threads that sleep or wait with a deadline. A thread that waits for something outside may be helped
// any time.
bool Conductor::all_have_spun() {
  bool all = !*any_outside_;
  model_.live().for_each([&](ThreadId t) {
    if (model_.enabled().has(t) || model_.pending(t).timed) all &= spins_.has_spun(t);
  });
  return all;
}

bool Conductor::spins_for_good() {
  if (outside_ != nullptr && !outside_->pause()) spins_.progress();
  return spins_.has_spun_long() && all_have_spun();
}

// From here on no choice is the policy's, and no step is taken without a question.
void Conductor::continue_fairly(ThreadId at) {
  continuation_.start(given_budget_, at);
  end_of_policy_ = log_->mark();
  steps_of_policy_ = *steps_;
  budget_ = 0;
  consults_always_ = true;
  end_hold();
}

// A livelock is shown as it was when it was first seen: the rest is more of the same.
Turn Conductor::end_of_continuation() {
  if (!spins_to_the_end()) return Turn::kBudget;
  log_->go_back(end_of_policy_);
  *steps_ = steps_of_policy_;
  return Turn::kLivelock;
}

// kGo: the run continues, fairly or, if it follows a recorded schedule that continues, as that says.
Turn Conductor::at_budget(ThreadId at) {
  if (continuation_.is_on()) return Turn::kGo;
  if (!follows_) {
    continue_fairly(at);
    return Turn::kGo;
  }
  const Step longest = given_budget_ * (Continuation::kTimes + 1);
  if (spins_to_the_end()) return Turn::kLivelock;
  if (*steps_ >= longest) return Turn::kBudget;
  budget_ = longest;
  return Turn::kGo;
}

// This one choice is not the policy's. Under a parallel plan only the low threads starve, which wait for all others.
ThreadId Conductor::let_others(ThreadId chosen) {
  ThreadSet others = eligible();
  others.remove(chosen);
  if (policy_ == nullptr)
    if (const ThreadSet low = plan_.low(others); !low.empty()) others = low;
  const ThreadId other = fairness_.override_at(*steps_, others);
  if (other == kNoThread) return chosen;
  end_hold();
  return other;
}

// `steps` more than the next one.
void Conductor::hold(Step steps) {
  const Step now = *steps_ + 1;
  hold_until(steps > ~now ? ~Step{0} : now + steps);
}

// Not all enabled threads are eligible: a thread made way, or is held back. Mostly it made way; then the thread that
// has waited longest is eligible, and so are those that did not make way.
ThreadId Conductor::best_of_eligible() {
  const bool simple = !spinners_.any_held() && plan_.is_serial() && !model_.has_alarms();
  ThreadId best = simple ? longest_waiting() : kNoThread;
  if (best == kNoThread) return plan_.best(eligible());
  model_.enabled().for_each_outside(passed_over_, [&](ThreadId t) {
    if (plan_.rank(t) > plan_.rank(best)) best = t;
  });
  return best;
}

void Conductor::look(ThreadId at) {
  view_.step = *steps_;
  view_.last = at;
  view_.last_ordinal = last_ordinal_;
  view_.live = model_.live();
  if (__builtin_expect(passed_over_.empty() && !spinners_.any_held(), 1))
    view_.enabled = model_.enabled();
  else
    view_.enabled = eligible();
}

ThreadId Conductor::consult_policy(ThreadId at) {
  consult(at);
  if (verdict_.awaits != kNoThread && await_recorded(verdict_.awaits, verdict_.hides)) consult(at);
  if (verdict_.diverged) {
    expected_ = verdict_.expected;
    describe(got_, at, reason_to_leave(at));
    return kNoThread;
  }
  hold(verdict_.hold);
  SNARL_CHECK(verdict_.first != kNoThread && model_.enabled().has(verdict_.first));
  return verdict_.first;
}

void Conductor::consult(ThreadId at) {
  look(at);
  verdict_.clear();
  policy_->decide(view_, verdict_);
}

// In a replay, what comes from outside may come later, or earlier, than it did.
bool Conductor::await_recorded(ThreadId t, bool hides) {
  if (outside_ == nullptr) return false;
  if (!hides) return outside_->wait_for(model_, t);
  model_.set_ready(t, false);
  return true;
}

}  // namespace snarl::conduct
