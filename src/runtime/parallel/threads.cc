#include "runtime/parallel/threads.h"

#include "base/hash.h"
#include "base/state_marks.h"
#include "runtime/gate/gates.h"
#include "runtime/parallel/cores.h"
#include "runtime/parallel/mutex.h"
#include "runtime/parallel/noise.h"
#include "runtime/parallel/pace.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/raw.h"
#include "runtime/state/refuse.h"
#include "runtime/state/signal_stack.h"
#include "runtime/state/state.h"
#include "runtime/state/thread_end.h"
#include "runtime/trace/own_stack.h"

namespace snarl::runtime::parallel {
namespace {

// Guarded by the desk.
SNARL_RUN_STATE ThreadSet slots;
SNARL_RUN_STATE uint32_t created;
SNARL_RUN_STATE uint32_t most_live;
SNARL_RUN_STATE wire::Thread beyond;  // where threads write that the wire has no room for

ThreadId unused_slot() {
  ThreadId slot = 0;
  while (slot < kMaxThreads && slots.has(slot)) ++slot;
  return slot < kMaxThreads ? slot : kNoThread;
}

Thread& add_thread(ThreadId slot, uint64_t name, uint64_t seed) {
  const uint32_t ordinal = created++;
  slots.add(slot);
  Thread& thread = make_thread(slot, ordinal);
  thread.outermost = thread.inside = 1;
  Member& member = member_of(thread);
  member = Member{};
  member.left = member.planned = 1;
  member.next = member.end = 0;
  member.thread = &thread;
  member.deadline = kNever;
  member.name = name;
  member.rng = Rng(combine(seed, name));
  draw_fairness(member, run().fairness);
  thread.has_random = true;
  thread.random = Rng(engine::shared->command.key.seed, engine::shared->command.key.index, Stream::kProgram, name);
  member.entry = ordinal < kMaxThreads ? &engine::shared->threads[ordinal] : &beyond;
  *member.entry = wire::Thread{};
  member.entry->phase = wire::ThreadPhase::kLive;
  member.entry->ordinal = ordinal;
  member.entry->name = name;
  name_objects_of(slot);
  member.entry->pending.kind = OpKind::kStart;
  return thread;
}

void count_threads(Desk& desk) {
  wire::State& state = engine::shared->state;
  const auto live = static_cast<uint32_t>(desk.crew().live_count());
  most_live = live > most_live ? live : most_live;
  state.created = created;
  state.at_once = most_live;
  state.threads = created < kMaxThreads ? created : kMaxThreads;
}

uint64_t seed() { return combine(engine::shared->command.key.seed, engine::shared->command.key.index); }

// Counted as running from now on, if it is a high one.
Thread& spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc) {
  Desk desk(parent);
  const ThreadId slot = unused_slot();
  if (slot == kNoThread) refuse("the program has more than 1024 threads at once");
  Thread& child = add_thread(slot, name_of_child(member_of(parent).name, member_of(parent).children++), seed());
  Member& member = member_of(child);
  member.detached = detached;
  member.entry->creator = parent.ordinal;
  member.entry->start_pc = start_pc;
  member.entry->create_pc = create_pc;
  desk.crew().spawned(slot, child.ordinal);
  pace_new(child, member.name);
  member.low_steps = desk.crew().low_steps();
  member.low = !desk.crew().is_high(slot);
  count_threads(desk);
  note(parent);
  return child;
}

void unspawn(Thread& parent, Thread& child) {
  Desk desk(parent);
  desk.crew().ended(child.id);
  pace_blocked(desk, child.id);
  slots.remove(child.id);
  desk.admit();
}

void* thread_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  self.tid = static_cast<int>(raw::call(SYS_gettid));
  const bool low = member_of(self).low;
  self.inside += low ? 1 : 0;
  current = &self;
  join_others(self);
  if (low) await_admission(self);
  begin_step(self);
  note(self);
  give_signal_stack(self);
  void* result = run_to_end(self, self.routine, self.argument);
  run_destructors(self);
  leave(self);
  return result;
}

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

// The child counts before it is there: a signal handler that interrupts this must not wait for it.
int spawn_and_create(Thread& self, pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                     void* argument, uint64_t pc) {
  const Inside inside(self);
  Thread& child = spawn(self, is_detached(attributes), reinterpret_cast<uint64_t>(routine), pc);
  child.routine = routine;
  child.argument = argument;
  child.joinable_handle = true;
  const int error = libc().pthread_create(&child.handle, attributes, thread_main, &child);
  if (error == 0)
    *handle = child.handle;
  else
    unspawn(self, child);
  return error;
}

int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_create(handle, attributes, routine, argument);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kCreate, nullptr, pc);
  const int error = spawn_and_create(*self, handle, attributes, routine, argument, pc);
  if (error != 0) return error;
  arrive_after(*self, OpKind::kCreate, nullptr, pc);
  return 0;
}

}  // namespace

const ThreadSet& occupied() { return slots; }
void vacate(ThreadId slot) { slots.remove(slot); }

bool is_alone() { return live_count() == 1; }

void begin_threads() {
  created = most_live = 0;
  slots.clear();
  Thread& main = add_thread(kMainThread, kMainName, seed());
  main.handle = pthread_self();
  main.joinable_handle = true;
  main.tid = static_cast<int>(raw::call(SYS_gettid));
  current = &main;
  Desk desk(main);
  pace_new(main, kMainName);
  member_of(main).low = !desk.crew().is_high(kMainThread);
  count_threads(desk);
}

void leave(Thread& self) {
  arrive(self, OpKind::kExit, nullptr, 0);
  note(self);
  Member& member = member_of(self);
  bool was_last = false;
  {
    Desk desk(self);
    member.entry->phase = wire::ThreadPhase::kEnded;
    __atomic_store_n(&member.ended, true, __ATOMIC_RELEASE);
    abandon_robust(desk);
    desk.crew().ended(self.id);
    pace_blocked(desk, self.id);
    desk.has_to_wait();  // for good
    was_last = desk.crew().live_count() == 0;
    if (member.detached) {
      self.joinable_handle = false;
      slots.remove(self.id);
    }
    desk.wake_all(&member);
    desk.end_if_stuck();
  }
  current = nullptr;
  if (was_last) libc().exit(0);  // as libc does when the last thread ends
}

// May be called while the desk is locked, by a thread that crashed there: reads only.
void write_enabled() {
  for_each_thread([](const Member& member) {
    member.entry->enabled = is_enabled(member.thread->id) ? 1 : 0;
    member.entry->thread_pointer = member.thread->handle;
  });
}

void ask_for_stacks(const Thread& self) {
  for_each_thread([&self](const Member& member) {
    if (member.thread != &self) gates::ask(*member.thread, write_own_stack);
  });
}

void install_threads(Real& table) { table.pthread_create = create; }

}  // namespace snarl::runtime::parallel
