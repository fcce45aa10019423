#include "runtime/engine.h"

#include <new>

#include "policy/catalog.h"
#include "runtime/clock.h"
#include "runtime/ending.h"
#include "runtime/gates.h"
#include "runtime/glibc.h"
#include "runtime/parallel/run.h"
#include "runtime/raw.h"
#include "runtime/readiness.h"
#include "runtime/real.h"
#include "runtime/trace.h"
#include "runtime/turn.h"
#include "runtime/watchdog.h"

namespace snarl::engine {

wire::Layout* shared = nullptr;

namespace {

// Constructed by begin_run; in raw memory, because a global constructor would touch it all
// and nothing may run before it anyway.
alignas(Conductor) char conductor_memory[sizeof(Conductor)];
alignas(DecisionLog) char log_memory[sizeof(DecisionLog)];
alignas(64) char arena_memory[1 << 20];

Reason switched = Reason::kNone;  // why the thread that ran before this one does not go on
const uint32_t* departing = nullptr;  // the kernel zeroes this word when the thread that left is gone

// A thread that took its exit step still frees its stack and its caches: wait for that, so
// that what the allocator does next does not depend on timing.
void await_departed() {
  while (departing != nullptr) {
    const uint32_t tid = __atomic_load_n(departing, __ATOMIC_ACQUIRE);
    if (tid == 0)
      departing = nullptr;
    else
      raw::call(SYS_futex, departing, FUTEX_WAIT, tid, 0);  // not private: the kernel's wake isn't
  }
}

int take(Thread& self, const Op& op) {
  const Step before = conductor().step();
  const int result = conductor().take(self.id);
  if (shared->command.trace != 0) trace_step(self, op, result, switched, conductor().step() - before);
  switched = Reason::kNone;
  return result;
}

// Sleeps until chosen. The thread is in the conductor then, with the turn: nobody can take it
// away between the choice and the step.
void wait_for_turn(Thread& self) {
  gates::wait(self);
  await_departed();
  watchdog::note_arrival();
}

// Into the conductor, from the program's code. If the turn was taken away meanwhile, the
// thread says that it is back, and takes a step of its own when it is chosen again.
void enter(Thread& self) {
  if (turn::enter(self)) return watchdog::note_arrival();
  __atomic_store_n(&self.is_back, true, __ATOMIC_SEQ_CST);
  wait_for_turn(self);
  self.is_back = false;
  stop_awaiting(self);
  conductor().take(self.id);
}

// Stays in the conductor: the chosen thread finds itself there.
void let_run(const Choice& choice) {
  switched = choice.reason;
  gates::open(thread_at(choice.next));
}

void hand_over(Thread& self, const Choice& choice) {
  if (choice.turn != Turn::kGo) end_run(self, choice.turn);
  if (choice.next == self.id) return;
  watchdog::appoint(self);
  let_run(choice);
  wait_for_turn(self);
}

bool has_come_back(const Readiness& readiness) {
  return __atomic_load_n(&static_cast<const Thread*>(readiness.data)->is_back, __ATOMIC_SEQ_CST);
}

// The thread that has just left can't watch.
void appoint_another(ThreadId running) {
  ThreadId other = kNoThread;
  conductor().model().live().for_each([&](ThreadId t) {
    if (t != running && other == kNoThread) other = t;
  });
  if (other == kNoThread) return;
  watchdog::appoint(thread_at(other));
  gates::nudge(thread_at(other));
}

wire::Thread* entry_of(const Thread& thread) {
  return thread.ordinal < kMaxThreads ? &shared->threads[thread.ordinal] : nullptr;
}

void list_thread(const Thread& thread, uint64_t start_pc) {
  const Model& model = conductor().model();
  shared->state.created = model.created();
  shared->state.most_live = conductor().most_live();
  wire::Thread* entry = entry_of(thread);
  if (entry == nullptr) return;
  *entry = wire::Thread{};
  entry->phase = wire::ThreadPhase::kLive;
  entry->ordinal = thread.ordinal;
  entry->name = model.names()[thread.id];
  entry->start_pc = start_pc;
  if (thread.id != kMainThread || thread.ordinal != 0) {
    entry->creator = model.creator(thread.id);
    entry->create_pc = model.create_pc(thread.id);
  }
  shared->state.threads = thread.ordinal + 1;
}

void reset_state(wire::State& state) {
  state.run = shared->command.run;
  state.decisions = state.created = state.most_live = state.threads = state.held = state.frames = 0;
  state.switches = state.decision_hash = state.events = state.timeouts = state.irregular = 0;
  state.steps = 0;
  state.parallel = shared->command.parallel;
  state.chunks = 0;
  state.outcome = OutcomeKind::kNone;
  state.failing_thread = 0;
  state.signal = state.exit_code = 0;
  state.fault_address = state.fault_pc = 0;
  state.expected = state.got = Decision{};
  state.message[0] = '\0';
}

}  // namespace

Conductor& conductor() { return *std::launder(reinterpret_cast<Conductor*>(conductor_memory)); }

void begin_run() {
  const wire::Command& command = shared->command;
  wire::State& state = shared->state;
  reset_state(state);
  if (command.policy.policy >= policy_catalog().size()) refuse("the explorer ordered a policy that this runtime does not have");
  auto* log = new (log_memory) DecisionLog({shared->decisions, wire::kMaxDecisions}, state.decisions, state.switches, state.decision_hash);
  Arena arena(arena_memory, sizeof arena_memory);
  Policy* policy = policy_catalog()[command.policy.policy].make(arena);
  const Run run{command.seed, command.index, command.policy, command.profile, {shared->follow, command.follow_count}};
  if (command.parallel != 0) {
    parallel::begin(run, *policy, arena);
    return state.phase.store(wire::Phase::kRunning, std::memory_order_release);
  }
  (new (conductor_memory) Conductor)->begin(run, *policy, arena, *log, state.steps, shared->options.step_budget, clock::sleeps());
  conductor().set_outside(&real_outside());

  Thread& self = make_thread(kMainThread, 0);
  self.handle = pthread_self();
  self.joinable_handle = true;
  self.tid = static_cast<int>(raw::call(SYS_gettid));
  turn::begin();
  watchdog::begin(shared->options.patience);
  list_thread(self, 0);
  state.phase.store(wire::Phase::kRunning, std::memory_order_release);
  current = &self;
}

int point(Thread& self, const Op& op) {
  enter(self);
  hand_over(self, conductor().arrive(self.id, op));
  shared->state.timeouts = conductor().timeouts();
  const int result = take(self, op);
  turn::leave(self);
  return result;
}

void give_way(Thread& self) {
  Inside inside(self);
  ++shared->state.irregular;
  point(self, Op{.kind = OpKind::kYield});
}

void take_turn_from(Thread& sleeper, Thread& by) {
  if (!turn::take_from(sleeper)) return;
  ++shared->state.irregular;
  sleeper.comes_back = Readiness{.ready = has_come_back, .data = &sleeper};
  start_awaiting(sleeper, sleeper.comes_back);
  const Choice choice = conductor().arrive(sleeper.id, Op{.kind = OpKind::kIo});
  if (choice.turn != Turn::kGo) end_run(by, choice.turn);
  if (choice.next != by.id) watchdog::appoint(by);
  let_run(choice);
}

void point_after(Thread& self, const Op& did) {
  point(self, Op{.kind = OpKind::kAfter, .after = did.kind, .thread = did.thread, .object = did.object, .pc = did.pc});
}

Thread* spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc) {
  const ThreadId id = conductor().spawn(parent.id, detached, create_pc);
  if (id == kNoThread) refuse("the program has more than 1024 threads at once");
  Thread& child = make_thread(id, conductor().model().ordinals()[id]);
  list_thread(child, start_pc);
  if (shared->command.trace != 0) trace_created(child);
  return &child;
}

void unspawn(Thread& parent, Thread& child) {
  conductor().model().unspawn(parent.id, child.id);
  shared->state.created = conductor().model().created();
  shared->state.threads = child.ordinal;
}

void start(Thread& self) {
  wait_for_turn(self);
  current = &self;
  take(self, Op{.kind = OpKind::kStart});
  turn::leave(self);
}

void leave(Thread& self) {
  enter(self);
  const Op op{.kind = OpKind::kExit};
  hand_over(self, conductor().arrive(self.id, op));
  take(self, op);
  if (wire::Thread* entry = entry_of(self)) {
    entry->phase = wire::ThreadPhase::kEnded;
    entry->steps = conductor().taken(self.id);
  }
  const Choice choice = conductor().leave(self.id);
  shared->state.timeouts = conductor().timeouts();
  if (choice.turn != Turn::kGo && choice.turn != Turn::kAllEnded) end_run(self, choice.turn);
  current = nullptr;
  if (choice.turn == Turn::kAllEnded) real().exit(0);  // as libc does when the last thread ends
  departing = glibc::tid_word(pthread_self());
  appoint_another(choice.next);
  let_run(choice);
}

void abandon() { current = nullptr; }

}  // namespace snarl::engine
