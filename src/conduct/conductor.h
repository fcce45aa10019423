// Decides which thread takes the next step, and takes it: model and policy together.
//
// Pure: it never switches anything itself. The switching layer (gates, fibers, or the
// virtual programs of the tests) calls it for the thread that has the turn:
//
//   Choice c = conductor.arrive(self, op);      // which thread runs next?
//   if (c.next != self) <switch to c.next; we are back when a thread switches to us>
//   int result = conductor.take(self);          // perform op: one step
//
// Calls are never concurrent: only the thread that has the turn makes them.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/storage.h"
#include "conduct/continuation.h"
#include "conduct/counter.h"
#include "conduct/event_groups.h"
#include "conduct/fairness.h"
#include "conduct/object_names.h"
#include "conduct/outside.h"
#include "conduct/pair_watch.h"
#include "conduct/partial_order.h"
#include "conduct/plan_runner.h"
#include "conduct/sites.h"
#include "conduct/spin_watch.h"
#include "conduct/spinners.h"
#include "model/model.h"
#include "policy/policy.h"
#include "schedule/chosen_deadline.h"
#include "schedule/decision_log.h"
#include "schedule/run.h"

namespace snarl::conduct {

enum class Turn : uint8_t {
  kGo,        // `next` takes a step
  kDeadlock,  // live threads, none enabled
  kAllEnded,  // no live thread
  kBudget,    // the step budget is used up
  kDiverged,  // a replay does not fit: expected(), got()
  kHang,      // no thread is enabled, and what is waited for outside does not come
  kLivelock,  // all threads that can run only spin, and have done so for long
  kFull,      // more objects in use than the model holds
};

struct Choice {
  Turn turn = Turn::kGo;
  ThreadId next = kNoThread;
  Reason reason = Reason::kNone;  // why the thread at the point does not continue; kNone if it does
};

// What watches a run, besides its policy.
struct Watching {
  Counter* counter = nullptr;        // of a profiling run; null: nothing is counted
  StaticName static_name = nullptr;  // null: no object has a fixed place
  GroupSources groups = {};          // what names them, and where they are listed
  SiteSources sites = {};            // what names them
  PairList pairs = {};               // where pairs of sites are listed
  bool steps = false;                // each step is recorded: none is taken unseen
  uint64_t* order = nullptr;         // where the hash of the partial order is kept; null: there is none
};

class Conductor {
 public:
  // Starts a run: main lives and has the turn. `policy` and `log` outlive the run;
  // `steps` is where the step count is kept (the wire). budget 0: none.
  void begin(const Run& run, policy::Policy& policy, Arena& arena, DecisionLog& log, Step& steps, Step budget,
             model::Sleeps sleeps = model::Sleeps::kLast, const Watching& watching = {});

  // Knows what threads wait for outside the program; null: nothing does.
  void set_outside(Outside* outside) {
    outside_ = outside;
    any_outside_ = outside == nullptr ? &kNobody : &outside->any_seen();
  }

  // The answer is valid until the next call.
  const Choice& arrive(ThreadId t, const Op& op);
  int take(ThreadId t);

  // Quiet steps (schedule/operation.h) need no arrive() and take(). This is how many of them `t`, which has the turn
  // and no step under way, may take from now on. Any other call of the conductor, or change of the model, ends the
  // allowance; tell add_quiet_steps() first what was used of it. Everything comes out as with a question for each step,
  // except View::did, which is not kept: a policy that wants it must not hold.
  Step allowance(ThreadId t) const;
  void add_quiet_steps(ThreadId t, Step steps);
  // Takes one quiet step, if there is an allowance.
  bool quiet_step(ThreadId t);

  // As arrive() and take() with result 0, if `t` simply continues and there is nothing unusual about it, as at most
  // points. False: nothing has happened yet.
  bool step_at_once(ThreadId t, const Op& op) {
    return __builtin_expect(model::Model::may_be_at_once(op.kind), 1) && try_step_at_once(t, op);
  }
  // The same in a run whose steps are written down: the caller writes this one.
  bool step_traced(ThreadId t, const Op& op);
  // The same for Model::ordinary_at_once(), inlined (conduct/quick.h, as are add_quiet_steps() and quiet_step()).
  bool step_mutex_at_once(OpKind what, ThreadId t, uint64_t mutex, uint64_t pc);

  // Quiet steps in a row that the thread with the turn has taken. Each kQuietLook-th is asked for, with or without
  // allowance, so that loops that never end can be watched for at the same steps in every run.
  static constexpr Step kQuietLook = 4096;
  Step quiet_row() const { return quiet_row_; }

  // After take() of a kExit: which thread runs next?
  const Choice& leave(ThreadId t);

  // The running thread has created another, which may be chosen from now on.
  ThreadId spawn(ThreadId parent, bool detached, uint64_t create_pc);

  // The memory in which the object lay was freed.
  void forget_object(uint64_t object) {
    if (ordered_) order_.forget(object);
  }

  // A deadline that no thread waits for (Model::set_alarm). Outside::fired is called when it has come. An alarm that
  // has come before, and was set `again`, lets every thread that can take a step first: otherwise it could keep others
  // from running for ever. `pc`: where the program set it.
  void set_alarm(int alarm, uint64_t deadline, bool patient, bool again, uint64_t pc = 0);

  model::Model& model() { return model_; }
  Step step() const { return *steps_; }
  uint64_t taken(ThreadId t) const { return model_.slots()[t].taken; }
  uint64_t deadlines() const { return plan_.timers(); }  // that had a rank in the plan
  uint64_t timeouts() const { return timeouts_; }        // timers that the policy let fire
  // How often a thread that could continue had to make way because it only idled. A run in which that happened is not
  // the policy's alone.
  uint64_t passed_over() const { return times_passed_over_; }
  // Steps of loops in which a thread only waited for others, and therefore made way.
  Step waiting_rounds() const { return idle_taken_ + spinners_.rounds(); }
  // Of the timeouts, those for which time had to pass while a thread could run; and the last one.
  uint64_t chosen_deadlines() const { return chosen_deadlines_; }
  const ChosenDeadline& chosen_deadline() const { return chosen_deadline_; }
  uint64_t overrides() const { return fairness_.overrides(); }  // steps that were not the policy's choice
  const Decision& expected() const { return expected_; }
  const Decision& got() const { return got_; }

 private:
  // Functions that only some steps need are not inlined, here and in the model. A short schedule passes through as much
  // code as the instruction cache holds, and runs faster if less of it is fetched for nothing.
  //
  // Written and read field by field: a struct of four bytes that is built on the stack and returned in a register makes
  // the processor wait (store forwarding).
  const Choice& answer(Turn turn, ThreadId next, Reason reason) {
    choice_.turn = turn;
    choice_.next = next;
    choice_.reason = reason;
    return choice_;
  }
  [[gnu::noinline]] const Choice& choose(ThreadId at);
  [[gnu::noinline]] void tell_arrival(ThreadId t, const Op& op);
  [[gnu::noinline]] void set_timer(ThreadId t);
  [[gnu::noinline]] void tell_spawned(ThreadId parent, ThreadId child);
  [[gnu::noinline]] void tell_policy_spawned(ThreadId parent, ThreadId child);
  bool is_plain() const;
  const Choice* decide(ThreadId at, ThreadId from, Reason& reason);
  const Choice* settle_on(ThreadId next, ThreadId at, ThreadId from, Reason& reason);
  [[gnu::noinline]] const Choice* decide_again(ThreadId at, ThreadId from, Reason& reason);
  [[gnu::noinline]] void fire(ThreadId timer, ThreadId from);
  void note_chosen(ThreadId timer, ThreadId from);
  [[gnu::noinline]] const Choice& look_and_choose(ThreadId at, ThreadId from, Reason reason);
  [[gnu::noinline]] Turn await_somebody();
  [[gnu::noinline]] bool spins_for_good();
  bool spins_to_the_end() { return spins_.has_turned_long() && all_have_spun(); }
  [[gnu::noinline]] void continue_fairly(ThreadId at);
  [[gnu::noinline]] Turn end_of_continuation();
  [[gnu::noinline]] Turn at_budget(ThreadId at);
  bool all_have_spun();
  const Choice& go_alone(ThreadId at);
  [[gnu::noinline]] void fire_alone(ThreadId first);
  bool tell_fired();
  void hold(Step steps);
  void hold_until(Step step) {
    hold_until_ = step;
    bound_hold();
  }
  void bound_hold() {
    consult_at_ = hold_until_ < fairness_.next() ? hold_until_ : fairness_.next();
    if (consult_at_ > budget_) consult_at_ = budget_;
  }
  void end_hold() { consult_at_ = hold_until_ = 0; }
  [[gnu::noinline]] ThreadId let_others(ThreadId chosen);
  policy::Arrival arrival_of(ThreadId t, const Op& op);
  [[gnu::noinline]] void tell_step(ThreadId t, const Op& did, bool alone);
  void list_pairs(ThreadId t, const Op& did, bool alone);
  [[gnu::noinline]] void tell_order(ThreadId t, const Op& did, int result, ThreadId before);
  [[gnu::noinline]] void tell_order_at_once(ThreadId t, const Op& did);
  [[gnu::noinline]] void tell_order_of_mutex(ThreadId t, OpKind what, uint64_t mutex);
  void tell_clock_read(ThreadId t) {
    if (__builtin_expect(model_.clock_reads() != clock_reads_, 0) && t < kMaxThreads) order_.read_clock(t);
  }
  ThreadId pick(ThreadId at);
  bool hold_stands(ThreadId at) const;
  [[gnu::noinline]] bool stands_despite_gained(ThreadId at) const;
  bool is_calm(ThreadId t) const;
  bool may_step_at_once(ThreadId t) const;
  bool try_step_at_once(ThreadId t, const Op& op);
  [[gnu::noinline]] bool step_quietly(ThreadId t, const Op& op);
  template <typename Perform>
  bool step_if_performed(ThreadId t, OpKind kind, const Perform& perform);
  void count(ThreadId t, Step steps, bool alone);
  Step row_of(ThreadId t) const { return quiet_row_ & -Step{t == last_}; }  // 0 after another's step; without a branch
  void look_at_clock() {
    if (__builtin_expect(model_.clock_reads() == clock_reads_, 1)) return;
    spins_.progress();
    clock_reads_ = model_.clock_reads();
  }
  ThreadId consult_plan();
  [[gnu::noinline]] ThreadId consult_policy(ThreadId at);
  void consult(ThreadId at);
  bool await_recorded(ThreadId t, bool hides);
  void look(ThreadId at);
  ThreadSet eligible();
  ThreadId best_by_plan();
  [[gnu::noinline]] ThreadId best_of_eligible();
  [[gnu::noinline]] void pass_over(ThreadId t, bool makes_way);
  bool is_in_handler(ThreadId t);
  // The enabled thread that has waited longest for a step; kNoThread if only timers are enabled.
  ThreadId longest_waiting() const {
    ThreadId first = kNoThread;
    uint64_t moved = ~uint64_t{0};
    model_.enabled().for_each_below(kMaxThreads, [&](ThreadId t) {
      if (ways_[t].moved >= moved) return;
      first = t;
      moved = ways_[t].moved;
    });
    return first;
  }
  // Is it passed over, in favour of threads that have had no step since `longest`?
  bool waits_for_others(ThreadId t, uint64_t longest) const { return passed_over_.has(t) && longest < ways_[t].moved; }
  // What a thread does that waits for others without being blocked.
  static constexpr bool is_idle(OpKind did) {
    constexpr OpKinds kThose = {OpKind::kPause, OpKind::kYield, OpKind::kSleep, OpKind::kTimeout, OpKind::kTestCancel};
    return kThose.has(did);
  }
  [[gnu::noinline]] bool makes_way(ThreadId t, const Op& op);
  bool somebody_starves(ThreadId idler);
  [[gnu::noinline]] void pass_time();
  Reason reason_to_leave(ThreadId at) const;
  void record(ThreadId at, ThreadId next, Reason reason);
  void describe(Decision& decision, ThreadId at, Reason reason) const;

  // First what every run uses, then the tables, of which it uses the beginnings: so it touches few pages.
  Fairness fairness_;
  Counter* counter_ = nullptr;
  GroupBy group_by_ = GroupBy::kPlace;
  bool grouped_ = false;          // events have groups
  bool named_ = false;            // objects have names
  bool sited_ = false;            // sites have names
  bool only_traced_ = false;      // that steps are written down is the only reason to ask always
  bool watched_ = false;          // the policy, the counter or the list of groups wants to know of steps
  bool told_ = false;             // the policy wants to know of arrivals and steps
  bool ordered_ = false;          // the partial order is hashed: from the first thread that is created on
  bool consults_always_ = false;  // every step must be asked for
  ThreadSet joined_;              // threads that have joined one: what they do alone is not an event
  Outside* outside_ = nullptr;
  static constexpr bool kNobody = false;
  const bool* any_outside_ = &kNobody;  // a thread waits for something outside
  policy::Policy* policy_ = nullptr;    // null: the plan says it all
  DecisionLog* log_ = nullptr;
  Step* steps_ = nullptr;
  Step budget_ = ~Step{0};  // 0 in a fair continuation: each choice is checked

  Choice choice_;
  policy::View view_;
  policy::Verdict verdict_;
  Step consult_at_ = 0;       // no question is needed before this step
  Step hold_until_ = 0;       // the last answer holds before this step
  ThreadSet passed_over_;     // the threads that made way with their last step
  uint64_t clock_reads_ = 0;  // the model's, when we last looked
  int idle_rounds_ = 0;       // idle steps while there was no thread to make way for
  uint64_t idle_steps_ = 0;   // of all threads, since somebody_starves() looked
  bool hurries_ = false;      // a thread starved: from then on every idle step makes way
  uint64_t times_passed_over_ = 0;
  Step idle_taken_ = 0;        // idle steps up to the ones at which their thread made way
  ThreadId last_ = kNoThread;  // the thread that performed the last operation
  Step quiet_row_ = 0;
  uint32_t last_ordinal_ = 0;
  uint64_t last_taken_ = 0;
  uint64_t timeouts_ = 0;
  uint64_t chosen_deadlines_ = 0;
  ChosenDeadline chosen_deadline_;
  uint64_t moves_ = 0;  // how often Way::moved was set
  Decision expected_, got_;
  Step given_budget_ = 0;
  bool follows_ = false;  // a recorded schedule: the recording run has tried to end it
  Continuation continuation_;
  DecisionLog::Mark end_of_policy_ = {};  // what was recorded, and how many steps were taken, before the continuation
  Step steps_of_policy_ = 0;

  struct Way {
    uint64_t moved = 0;     // number of its last step, while a thread is passed over; the latest number for a new
                            // thread and for one that makes way
    uint32_t handled = 0;   // steps on behalf of signals; of an alarm, how often it was set again
    uint32_t idle = 0;      // idle steps since another thread moved
    int64_t others = 0;     // steps of other threads at the last idle one
    uint64_t fired = 0;     // steps of its timers
    bool slept = false;     // the timer of its sleep has fired, and its step is to come
    uint64_t spins_at = 0;  // the place of the idle step at which it made way last
    uint64_t looked = ~uint64_t{0};  // steps that it had taken when somebody_starves() last looked
  };
  // Retry loops of a few hundred rounds are left alone: that is where programs give up or block.
  static constexpr uint32_t kPatience = 400;
  static constexpr uint64_t kLongPatience = 1024;

  model::Model model_;
  PlanRunner plan_;
  Storage<Way, kMaxSlots> ways_;
  SpinWatch spins_;
  Spinners spinners_;  // the threads that only read what does not change
  ObjectNames object_names_;
  PartialOrder order_;
  EventGroups groups_;
  Sites sites_;
  Storage<uint64_t, kMaxThreads> site_at_;  // by slot: of the pending operation
  PairWatch pairs_;
};

}  // namespace snarl::conduct
