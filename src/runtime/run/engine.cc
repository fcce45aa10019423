#include "runtime/run/engine.h"

#include <cerrno>
#include <cstddef>
#include <new>

#include "base/anew.h"
#include "base/large.h"
#include "policy/catalog.h"
#include "runtime/memory/instrumented.h"
#include "runtime/parallel/run.h"
#include "runtime/patch/apply.h"
#include "runtime/patch/stepping.h"
#include "runtime/platform/careful_read.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/run/ending.h"
#include "runtime/run/plugins.h"
#include "runtime/run/switching.h"
#include "runtime/run/turn.h"
#include "runtime/simulated/cancel.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/readiness.h"
#include "runtime/simulated/signals.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/groups.h"
#include "runtime/trace/modules.h"
#include "runtime/trace/trace.h"
#include "runtime/truth/misuse.h"
#include "runtime/truth/mutex_truth.h"
#include "runtime/watch/watchdog.h"

namespace snarl::runtime::engine {

wire::Layout* shared = nullptr;
SNARL_LARGE alignas(4096) char conductor_memory[sizeof(conduct::Conductor)];

namespace {

// As conductor_memory.
alignas(DecisionLog) char log_memory[sizeof(DecisionLog)];
alignas(conduct::Counter) char counter_memory[sizeof(conduct::Counter)];
SNARL_LARGE alignas(64) char arena_memory[1 << 20];

bool constructed = false;  // the conductor: library mode begins many runs with it

Reason switched = Reason::kNone;      // why the thread that ran before this one does not go on
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

[[gnu::noinline, gnu::cold]] void trace_taken(Thread& self, const Op& op, int result, Step before) {
  const Step counted = conductor().step() - before;
  if (result == model::kInterrupted) return trace_step(self, signals::handler_op(self, op), 0, switched, counted);
  trace_step(self, op, result, switched, counted);
}

// The step is against the rules, as the model sees it.
[[gnu::noinline, gnu::cold]] void look_at_misuse(Thread& self, const Op& op, int result, Step before) {
  const Misuse misuse = conductor().model().misuse();
  const bool ends = consider_misuse(self, misuse) && ends_run(misuse);
  if (shared->command.settings.trace) trace_taken(self, op, result, before);
  if (ends) end_misused();
}

// The unusual is called, not inlined: it would make the usual save registers.
[[gnu::always_inline]] inline int take(Thread& self, const Op& op) {
  const Step before = conductor().step();
  // Who sees the same at the same place again and again may spin.
  if (is_memory_access(op.kind)) conductor().model().see(self.id, careful::read(op.object, op.value));
  const int result = conductor().take(self.id);
  if (__builtin_expect(conductor().model().misuse().kind != MisuseKind::kNone, 0))
    look_at_misuse(self, op, result, before);
  else if (__builtin_expect(shared->command.settings.trace, 0))
    trace_taken(self, op, result, before);
  switched = Reason::kNone;
  debugger::note_step();
  return result;
}

[[gnu::noinline]] void wait_at_gate(Thread& self) {
  gates::wait(self);
  await_departed();
}

// Sleeps until chosen. The thread is in the conductor then, with the turn: nobody can take it
// away between the choice and the step. Inlined: after a switch the processor expects the returns of the thread before.
[[gnu::always_inline]] inline void wait_for_turn(Thread& self) {
  fibers::on ? fibers::wait(self) : wait_at_gate(self);
  instrumented::running(self);
  watchdog::note_arrival();
  debugger::note_turn();
}

// Its turn was taken away while it was in the program's code. It says that it is back, and takes a step of its own when
// it is chosen again.
[[gnu::noinline, gnu::cold]] void come_back(Thread& self) {
  watchdog::appoint(self);  // while it was away there may have been nobody else at a gate
  __atomic_store_n(&self.is_back, true, __ATOMIC_SEQ_CST);  // from here on it may be chosen, and another be appointed
  wait_for_turn(self);
  turn::regain(self);
  self.is_back = false;
  stop_awaiting(self);
  if (take(self, Op{.kind = OpKind::kIo, .object = ~uint64_t{0}}) == model::kInterrupted)
    conductor().model().interrupt(self.id);  // at this arrival, then
}

// Into the conductor, from the program's code.
[[gnu::always_inline]] inline void enter(Thread& self) {
  quiet::stop(self);
  turn::enter(self) ? watchdog::note_arrival() : come_back(self);
}

// The step was a signal's. 0 if the thread is to go on with what it had arrived at.
[[gnu::noinline, gnu::cold]] int handle_signal(Thread& self) {
  model::Model& model = conductor().model();
  const model::Model::Interruption interruption = model.interruption(self.id);
  const bool awaits = interruption.op.kind == OpKind::kIo;
  const Readiness* readiness = self.awaits;
  if (awaits) stop_awaiting(self);
  turn::leave(self);
  const int error = signals::deliver(self, interruption.op.interrupts);
  enter(self);
  if (error == EINTR)
    model.give_up(self.id, interruption);
  else
    model.resume(self.id, interruption);
  if (awaits) start_awaiting(self, *readiness);
  turn::leave(self);
  return error;
}

// Stays in the conductor: the chosen thread finds itself there.
void let_run(const conduct::Choice& choice) {
  switched = choice.reason;
  switching::open(thread_at(choice.next));
}

[[gnu::always_inline]] inline void hand_over(Thread& self, const conduct::Choice& choice) {
  if (choice.turn != conduct::Turn::kGo) end_run(self, choice.turn);
  if (choice.next == self.id) return;
  watchdog::appoint(self);
  let_run(choice);
  wait_for_turn(self);
}

void publish_counters() {
  shared->state.deadlines = static_cast<uint32_t>(conductor().deadlines());
  shared->state.timeouts = conductor().timeouts();
  if (__builtin_expect(shared->state.chosen_deadlines != conductor().chosen_deadlines(), 0)) {
    shared->state.chosen_deadlines = conductor().chosen_deadlines();
    shared->state.chosen_deadline = conductor().chosen_deadline();
  }
  shared->state.overrides = conductor().overrides();
  shared->state.passed_over = conductor().passed_over();
}

// A deadline that was far ahead when it was first set stays so: whoever was woken for nothing, or by a signal, sets it
// again.
[[gnu::noinline, gnu::cold]] void note_deadline(Thread& self, const Op& op) {
  model::Model& model = conductor().model();
  if (model.is_far(op.deadline)) self.far_deadline = op.deadline;
  if (op.deadline == self.far_deadline && op.kind != OpKind::kSleep) model.note_was_far(self.id);
}

// As Conductor::go_on(), in a traced run.
[[gnu::noinline, gnu::cold]] bool goes_on_traced(Thread& self, const Op& op) {
  const Step before = conductor().step();
  if (!conductor().go_on_traced(self.id, op)) return false;
  trace_taken(self, op, 0, before);
  debugger::note_step();
  turn::leave(self);
  return true;
}

// The rest of a point at which the thread does not just go on.
[[gnu::noinline]] int ask_inside(Thread& self, const Op& op) {
  if (__builtin_expect(shared->command.settings.trace, 0) && goes_on_traced(self, op)) return 0;
  for (;;) {
    if (__builtin_expect(op.timed, 0)) note_deadline(self, op);
    hand_over(self, conductor().arrive(self.id, op));
    const int result = take(self, op);
    publish_counters();
    if (result != model::kInterrupted) {
      turn::leave(self);
      return result;
    }
    if (const int error = handle_signal(self)) return error;
    enter(self);
    signals::note_come();
  }
}

bool has_come_back(const Readiness& readiness) {
  return __atomic_load_n(&static_cast<const Thread*>(readiness.data)->is_back, __ATOMIC_SEQ_CST);
}

// The turn was taken from it, and it sleeps on in the kernel: not at its gate.
bool is_away(const Thread& thread) {
  const bool taken = thread.awaits == &thread.comes_back && conductor().model().pending(thread.id).kind == OpKind::kIo;
  return taken && !__atomic_load_n(&thread.is_back, __ATOMIC_SEQ_CST);
}

// Only a thread at its gate can watch: not one that has just left, that runs, or that is away.
[[gnu::noinline]] void appoint_another(ThreadId running) {
  ThreadId other = kNoThread;
  conductor().model().live().for_each([&](ThreadId t) {
    if (t != running && other == kNoThread && !is_away(thread_at(t))) other = t;
  });
  if (other == kNoThread) return watchdog::dismiss();
  watchdog::appoint(thread_at(other));
  gates::nudge(thread_at(other));
}

[[gnu::noinline]] void ask_to_leave(Thread& self, const Op& op) {
  hand_over(self, conductor().arrive(self.id, op));
  take(self, op);
}

[[gnu::noinline]] void leave_gate(const conduct::Choice& choice) {
  departing = glibc::tid_word(pthread_self());
  appoint_another(choice.next);
}

wire::Thread* entry_of(const Thread& thread) {
  return thread.ordinal < kMaxThreads ? &shared->threads[thread.ordinal] : nullptr;
}

[[gnu::noinline]] void list_thread(const Thread& thread, uint64_t start_pc) {
  const model::Model& model = conductor().model();
  shared->state.created = model.created();
  shared->state.most_live = conductor().most_live();
  shared->state.on_fibers.live = static_cast<uint32_t>(model.live_count());
  wire::Thread* entry = entry_of(thread);
  if (entry == nullptr) return;
  make_anew(*entry);
  entry->phase = wire::ThreadPhase::kLive;
  entry->ordinal = thread.ordinal;
  entry->name = model.name(thread.id);
  entry->start_pc = start_pc;
  if (thread.ordinal != 0) {  // not main
    entry->creator = model.creator(thread.id);
    entry->create_pc = model.create_pc(thread.id);
  }
  shared->state.threads = thread.ordinal + 1;
}

void reset_state(wire::State& state) {
  state.run = shared->command.run;
  constexpr size_t kBegin = offsetof(wire::State, steps), kEnd = offsetof(wire::State, message);
  raw::clear<kEnd - kBegin>(&state.steps);
  state.parallel = shared->command.settings.parallel;
  state.message[0] = '\0';
  state.on_fibers.live = state.on_fibers.waits = state.on_fibers.given_up = 0;
  state.on_fibers.arrivals = 0;
  state.on_fibers.obstacle[0] = '\0';
  patch::publish();
}

// As an assignment, but for the name of a file, which few policies have.
void copy_key(RunKey& to, const RunKey& from) {
  raw::copy(&to, &from, offsetof(RunKey, policy.file));
  to.policy.file[0] = '\0';
  if (from.policy.file[0] != '\0') raw::copy(to.policy.file, from.policy.file, sizeof to.policy.file);
}

Run& ordered_run() {
  static constinit Run run;
  const wire::Command& command = shared->command;
  copy_key(run.key, command.key);
  run.settings = command.settings;
  run.follow = {shared->follow, command.follow_count};
  run.counts = {{shared->thread_counts, command.thread_counts}, {shared->object_counts, command.object_counts}};
  run.directive = {shared->directive, command.constraints};
  run.obedience = &shared->state.obedience;
  run.plugin = plugin_from(command.key.policy.file);
  run.groups = {shared->groups, command.groups};
  return run;
}

[[gnu::cold]] void construct_conductor() {
  new (conductor_memory) conduct::Conductor;
  constructed = true;
}

[[gnu::cold]] void begin_parallel_run(policy::Policy& policy, Arena& arena) {
  parallel::begin(ordered_run(), policy, arena);
  instrumented::begin(*current);
  shared->state.phase.store(wire::Phase::kRunning, std::memory_order_release);
}

// A madvise begins at a page.
void make_pages_ready(std::span<Decision> room) {
  constexpr uint64_t kPage = 4096;
  const auto begin = reinterpret_cast<uint64_t>(room.data()) & ~(kPage - 1);
  raw::make_ready_to_write(begin, reinterpret_cast<uint64_t>(room.data() + room.size()));
}

}  // namespace

void begin_run() {
  const wire::Command& command = shared->command;
  wire::State& state = shared->state;
  reset_state(state);
  if (command.key.policy.policy >= policy::policy_catalog().size())
    refuse("the explorer ordered a policy that this runtime does not have");
  const bool has_file = policy::policy_catalog()[command.key.policy.policy].file != nullptr;
  if (has_file && policy::policy_named("plugin") == static_cast<int>(command.key.policy.policy) &&
      plugin_from(command.key.policy.file) == nullptr)
    refuse("the policy's library could not be loaded into the program");
  auto* log = new (log_memory) DecisionLog({shared->decisions, wire::kMaxDecisions}, state.decisions, state.switches,
                                           state.decision_hash, make_pages_ready);
  Arena arena(arena_memory, sizeof arena_memory);
  policy::Policy* policy = policy::policy_catalog()[command.key.policy.policy].make(arena);
  if (command.settings.parallel) return begin_parallel_run(*policy, arena);
  conduct::Counter* counter =
      command.settings.count ? new (counter_memory) conduct::Counter(shared->counted_threads, shared->counted_objects)
                             : nullptr;
  const conduct::Watching watching{counter, static_name, group_sources(), command.settings.trace};
  if (!constructed) construct_conductor();
  conductor().begin(ordered_run(), *policy, arena, *log, state.steps, shared->command.settings.step_budget,
                    clock::sleeps(), watching);
  conductor().set_outside(&real_outside());
  conductor().model().watch_misuse(shared->command.settings.misuse);

  Thread& self = make_thread(kMainThread, 0);
  self.handle = pthread_self();
  self.joinable_handle = true;
  self.tid = static_cast<int>(*glibc::tid_word(self.handle));
  fibers::on = false;
  if (command.fibers != 0) fibers::begin(self);
  decide_who_writes_mutexes(fibers::on);
  turn::begin();
  quiet::begin();
  watchdog::begin(shared->command.settings.patience);
  list_thread(self, 0);
  instrumented::begin(self);
  state.phase.store(wire::Phase::kRunning, std::memory_order_release);
  current = &self;
}

int ask(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_anywhere, 0) && !self.cancel_off && (op.traits & kCancellable) == 0)
    return cancel::point(self, op);
  enter(self);
  signals::note_come();
  return ask_inside(self, op);
}

int point(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_anywhere, 0)) return ask(self, op);
  enter(self);
  signals::note_come();
  if (!conductor().go_on(self.id, op)) return ask_inside(self, op);
  turn::leave(self);
  return 0;
}

void give_way(Thread& self) {
  Inside inside(self);
  ++shared->state.irregular;
  point(self, Op{.kind = OpKind::kYield});
}

void take_turn_from(Thread& sleeper, Thread& by) {
  if (!turn::take_from(sleeper)) return;
  quiet::count_used(sleeper);
  ++shared->state.irregular;
  sleeper.comes_back = Readiness{.ready = has_come_back, .data = &sleeper};
  start_awaiting(sleeper, sleeper.comes_back);
  const conduct::Choice choice = conductor().arrive(sleeper.id, Op{.kind = OpKind::kIo});
  if (choice.turn != conduct::Turn::kGo) end_run(by, choice.turn);
  if (choice.next == by.id)
    appoint_another(by.id);
  else
    watchdog::appoint(by);
  let_run(choice);
}

void point_after(Thread& self, const Op& did) {
  if (__builtin_expect(quiet::pass(self), 1)) return;
  Op op{.kind = OpKind::kAfter, .object = did.object, .pc = did.pc};
  set_small_fields(op, did.kind, 0, did.thread);
  ask(self, op);
}

uint64_t performed(Thread& self, uint64_t object, MemoryOrder order) {
  return __builtin_expect(!shared->command.settings.trace, 1) ? 0 : trace_performed(self, object, order);
}

Thread* spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc) {
  if (__builtin_expect(patch::stepping::is_on(), 0)) patch::stepping::begin();
  const ThreadId id = conductor().spawn(parent.id, detached, create_pc);
  if (__builtin_expect(id == kNoThread, 0)) refuse("the program has more than 1024 threads at once");
  Thread& child = make_thread(id, conductor().model().ordinal(id));
  if (!watchdog::is_appointed()) watchdog::appoint(child);
  list_thread(child, start_pc);
  if (__builtin_expect(shared->command.settings.trace, 0)) trace_created(child);
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
  publish_counters();
  take(self, Op{.kind = OpKind::kStart});
  turn::leave(self);
}

void leave(Thread& self) {
  enter(self);
  const Op op{.kind = OpKind::kExit};
  if (__builtin_expect(!conductor().go_on(self.id, op), 0)) ask_to_leave(self, op);
  if (wire::Thread* entry = entry_of(self)) {
    entry->phase = wire::ThreadPhase::kEnded;
    entry->steps = conductor().taken(self.id);
  }
  instrumented::ended(self);
  const conduct::Choice& choice = conductor().leave(self.id);
  shared->state.on_fibers.live = static_cast<uint32_t>(conductor().model().live_count());
  publish_counters();
  if (choice.turn != conduct::Turn::kGo && choice.turn != conduct::Turn::kAllEnded) end_run(self, choice.turn);
  current = nullptr;
  if (choice.turn == conduct::Turn::kAllEnded) real().exit(0);  // as libc does when the last thread ends
  if (!fibers::on) leave_gate(choice);
  let_run(choice);
}

void abandon() {
  current = nullptr;
  patch::stepping::end();
}

}  // namespace snarl::runtime::engine
