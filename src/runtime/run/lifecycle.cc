#include "runtime/run/lifecycle.h"

#include "runtime/patch/stepping.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/real.h"
#include "runtime/run/ending.h"
#include "runtime/run/listed_thread.h"
#include "runtime/run/point.h"
#include "runtime/run/step.h"
#include "runtime/simulated/outside.h"
#include "runtime/state/refuse.h"
#include "runtime/state/signal_stack.h"
#include "runtime/state/thread_end.h"

namespace snarl::runtime::engine {
namespace {

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
  if (other == kNoThread) return watcher::dismiss();
  watcher::appoint(thread_at(other));
  gates::nudge(thread_at(other));
}

// The first step.
void start(Thread& self) {
  wait_for_turn(self);
  current = &self;
  publish_counters();
  take(self, Op{.kind = OpKind::kStart});
  turn::leave(self);
}

[[gnu::noinline]] void ask_to_leave(Thread& self, const Op& op) {
  hand_over(self, conductor().arrive(self.id, op));
  take(self, op);
}

[[gnu::noinline]] void leave_gate(const conduct::Choice& choice) {
  under_way.departing = glibc::tid_word(pthread_self());
  appoint_another(choice.next);
}

}  // namespace

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
    watcher::appoint(by);
  let_run(choice);
}

Thread* spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc) {
  if (__builtin_expect(patch::stepping::is_on(), 0)) patch::stepping::begin();
  const ThreadId id = conductor().spawn(parent.id, detached, create_pc);
  if (__builtin_expect(id == kNoThread, 0)) refuse("the program has more than 1024 threads at once");
  Thread& child = make_thread(id, conductor().model().ordinal(id));
  child.live = live;
  list_thread(child, start_pc);
  parts::made(parent, child);
  return &child;
}

void unspawn(Thread& parent, Thread& child) {
  conductor().model().unspawn(parent.id, child.id);
  shared->state.created = conductor().model().created();
  shared->state.threads = child.ordinal;
}

void* live(Thread& self) {
  self.inside = 1;
  start(self);
  if (!under_way.on_fibers) give_signal_stack(self);  // the carrier has one
  void* result = run_to_end(self, self.routine, self.argument);
  run_destructors(self);
  leave(self);
  return result;
}

void leave(Thread& self) {
  enter(self);
  const Op op{.kind = OpKind::kExit};
  if (__builtin_expect(!conductor().step_at_once(self.id, op), 0)) ask_to_leave(self, op);
  if (wire::Thread* entry = entry_of(self)) {
    entry->phase = wire::ThreadPhase::kEnded;
    entry->steps = conductor().taken(self.id);
  }
  parts::left(self);
  const conduct::Choice& choice = conductor().leave(self.id);
  shared->state.on_fibers.live = static_cast<uint32_t>(conductor().model().live_count());
  publish_counters();
  if (choice.turn != conduct::Turn::kGo && choice.turn != conduct::Turn::kAllEnded) end_run(self, choice.turn);
  current = nullptr;
  if (choice.turn == conduct::Turn::kAllEnded) real().exit(0);  // as libc does when the last thread ends
  if (!under_way.on_fibers) leave_gate(choice);
  let_run(choice);
}

void abandon() {
  current = nullptr;
  patch::stepping::end();
}

}  // namespace snarl::runtime::engine
