#include "runtime/parallel/threads.h"

#include <errno.h>

#include "base/hash.h"
#include "runtime/clock.h"
#include "runtime/ending.h"
#include "runtime/engine.h"
#include "runtime/gates.h"
#include "runtime/parallel/desk.h"
#include "runtime/parallel/noise.h"
#include "runtime/parallel/mutex.h"
#include "runtime/parallel/run.h"
#include "runtime/raw.h"
#include "runtime/thread_end.h"

namespace snarl::parallel {
namespace {

// Guarded by the desk.
ThreadSet slots;
uint32_t created;
uint32_t most_live;
wire::Thread beyond;  // where threads write that the wire has no room for

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
  thread.random = Rng(engine::shared->command.seed, engine::shared->command.index, Stream::kProgram, name);
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
  state.most_live = most_live;
  state.threads = created < kMaxThreads ? created : kMaxThreads;
}

uint64_t seed() { return combine(engine::shared->command.seed, engine::shared->command.index); }

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
  member.low = !desk.crew().is_high(slot);
  count_threads(desk);
  note(parent);
  return child;
}

void unspawn(Thread& parent, Thread& child) {
  Desk desk(parent);
  desk.crew().ended(child.id);
  slots.remove(child.id);
  desk.admit();
}

void* thread_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  self.tid = static_cast<int>(raw::call(SYS_gettid));
  current = &self;
  if (member_of(self).low) await_admission(self);
  begin_step(self);
  note(self);
  give_signal_stack(self);
  void* result = run_to_end(self, self.routine, self.argument);
  run_tls_destructors(self);
  run_key_destructors(self);
  leave(self);
  return result;
}

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_create(handle, attributes, routine, argument);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kCreate, nullptr, pc);
  Thread& child = spawn(*self, is_detached(attributes), reinterpret_cast<uint64_t>(routine), pc);
  child.routine = routine;
  child.argument = argument;
  child.joinable_handle = true;
  const int error = libc().pthread_create(&child.handle, attributes, thread_main, &child);
  if (error != 0) {
    unspawn(*self, child);
    return error;
  }
  *handle = child.handle;
  arrive_after(*self, OpKind::kCreate, nullptr, pc);
  return 0;
}

// Null: libc's to answer, with an error or because the thread isn't ours.
Member* joinable(Thread& self, pthread_t handle) {
  Desk desk(self);
  Thread* target = thread_of(handle);
  if (target == nullptr || target == &self || !slots.has(target->id)) return nullptr;
  Member& member = member_of(*target);
  return member.detached ? nullptr : &member;
}

int try_ended(const Member& target) { return __atomic_load_n(&target.ended, __ATOMIC_ACQUIRE) ? 0 : EBUSY; }

// It has ended: its OS thread is gone, or about to be.
int collect(Thread& self, Member& target, void** result) {
  Thread& thread = *target.thread;
  thread.joinable_handle = false;
  const int error = libc().pthread_join(thread.handle, result);
  Desk desk(self);
  slots.remove(thread.id);
  return error;
}

int join_until(Thread& self, Member& target, void** result, Time until) {
  arrive(self, OpKind::kJoin, &target, self.caller);
  const int error = acquire(self, &target, [&target] { return try_ended(target); }, until);
  note(self, error == ETIMEDOUT);
  return error != 0 ? error : collect(self, target, result);
}

int join(pthread_t handle, void** result) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  return target == nullptr ? libc().pthread_join(handle, result) : join_until(*self, *target, result, kNever);
}

int try_join(pthread_t handle, void** result) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_tryjoin_np(handle, result);
  arrive(*self, OpKind::kTryJoin, target, self->caller);
  const int error = try_ended(*target);
  note(*self);
  return error != 0 ? error : collect(*self, *target, result);
}

// Without a time it waits for good. A wrong one counts only if there is something to wait for.
int clock_join(pthread_t handle, void** result, clockid_t clock, const timespec* time) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_clockjoin_np(handle, result, clock, time);
  const bool good = time == nullptr || (clock::can_wait(clock) && is_valid(*time));
  if (!good && try_ended(*target) != 0) return EINVAL;
  return join_until(*self, *target, result, time == nullptr || !good ? kNever : time_at(clock, *time));
}

int timed_join(pthread_t handle, void** result, const timespec* time) {
  return clock_join(handle, result, CLOCK_REALTIME, time);
}

int detach(pthread_t handle) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_detach(handle);
  arrive(*self, OpKind::kDetach, target, self->caller);
  note(*self);
  const int error = libc().pthread_detach(handle);
  Desk desk(*self);
  target->detached = true;
  if (!target->ended) return error;
  target->thread->joinable_handle = false;
  slots.remove(target->thread->id);
  return error;
}

void end_point(int code) {
  Thread* self = me();
  if (self == nullptr) return;
  arrive(*self, OpKind::kEndProcess, nullptr, self->caller);
  note(*self);
  Inside inside(*self);
  engine::shared->state.exit_code = code;
  if (code != 0) snarl::write_threads(*self);
}

void exit_process(int code) {
  end_point(code);
  libc().exit(code);
}

void exit_at_once(int code) {
  end_point(code);
  libc()._exit(code);
}

void exit_quickly(int code) {
  end_point(code);
  libc().quick_exit(code);
}

}  // namespace

const ThreadSet& occupied() { return slots; }

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
  for_each_thread([](const Member& member) { member.entry->enabled = is_enabled(member.thread->id) ? 1 : 0; });
}

void ask_for_stacks(const Thread& self) {
  for_each_thread([&self](const Member& member) {
    if (member.thread != &self) gates::ask_for_stack(*member.thread);
  });
}

void install_threads(Real& table) {
  table.pthread_create = create;
  table.pthread_join = join;
  table.pthread_tryjoin_np = try_join;
  table.pthread_timedjoin_np = timed_join;
  table.pthread_clockjoin_np = clock_join;
  table.pthread_detach = detach;
  table.exit = exit_process;
  table._exit = exit_at_once;
  table._Exit = exit_at_once;
  table.quick_exit = exit_quickly;
}

}  // namespace snarl::parallel
