// Threads: created for real, held at a gate until the conductor grants their start.
#include <errno.h>

#include "runtime/fiber/fibers.h"
#include "runtime/hooks/primitives.h"
#include "runtime/platform/raw.h"
#include "runtime/run/cancel.h"
#include "runtime/run/lifecycle.h"
#include "runtime/run/point.h"
#include "runtime/run/switching.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (__builtin_expect(attributes != nullptr, 0)) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

// A join or detach that names a thread which isn't ours is left to libc.
Op on_thread(OpKind kind, const Thread* target, uint64_t pc) {
  Op op{.kind = kind, .object = target->handle, .pc = pc};
  set_small_fields(op, OpKind::kNone, 0, target->id);
  return op;
}

int join(Thread& self, Thread& target, const Op& op, void** result) {
  Inside inside(self);
  const bool tries = op.kind == OpKind::kTryJoin;
  const int error = tries ? engine::point(self, op) : cancel::point(self, op);
  if (__builtin_expect(error != 0, 0)) return error;
  target.joinable_handle = false;
  return switching::join(target, result);
}

// Without a time it waits for good. A wrong one counts only if there is something to wait for.
int join_until(Thread& self, Thread& target, clockid_t id, const timespec* time, void** result, uint64_t pc) {
  Op op = on_thread(OpKind::kJoin, &target, pc);
  if (time == nullptr) return join(self, target, op, result);
  const bool waits = !engine::conductor().model().has_ended(target.id);
  if (waits && (!clock::can_wait(id) || !clock::is_valid(*time))) return EINVAL;
  op.timed = true;
  op.deadline = clock::deadline_at(id, *time);
  return join(self, target, op, result);
}

}  // namespace

int thread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument,
                  uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_create(handle, attributes, routine, argument);
  Inside inside(*self);
  Op op{.kind = OpKind::kCreate, .pc = pc};
  engine::point(*self, op);
  Thread* child = engine::spawn(*self, is_detached(attributes), reinterpret_cast<uint64_t>(routine), op.pc);
  child->routine = routine;
  child->argument = argument;
  const int error = switching::create(*child, handle, attributes);
  if (__builtin_expect(error != 0, 0)) {
    engine::unspawn(*self, *child);
    return error;
  }
  child->joinable_handle = true;
  op.thread = child->id;
  engine::point_after(*self, op);
  return 0;
}

int thread_join(pthread_t handle, void** result, uint64_t pc) {
  Thread* self = at_point(pc);
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr && self != nullptr) target = past_thread_of(handle);  // the model says what is wrong with it
  if (target == nullptr) return real().pthread_join(handle, result);
  return join(*self, *target, on_thread(OpKind::kJoin, target, pc), result);
}

int thread_detach(pthread_t handle, uint64_t pc) {
  Thread* self = at_point(pc);
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr) return real().pthread_detach(handle);
  Inside inside(*self);
  if (const int error = engine::point(*self, on_thread(OpKind::kDetach, target, pc))) return error;
  const bool ended = engine::conductor().model().has_ended(target->id);
  if (ended) target->joinable_handle = false;
  return switching::detach(*target, ended);
}

int thread_yield(uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().sched_yield();
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kYield, .pc = pc});
  return 0;
}

SNARL_HOOK int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                              void* argument) noexcept {
  return thread_create(handle, attributes, routine, argument, SNARL_PC);
}
SNARL_HOOK int pthread_join(pthread_t handle, void** result) { return thread_join(handle, result, SNARL_PC); }
SNARL_HOOK int pthread_detach(pthread_t handle) noexcept { return thread_detach(handle, SNARL_PC); }
SNARL_HOOK int sched_yield() noexcept { return thread_yield(SNARL_PC); }

SNARL_HOOK int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  Thread* self = at_point();
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr) return real().pthread_tryjoin_np(handle, result);
  return join(*self, *target, on_thread(OpKind::kTryJoin, target, SNARL_PC), result);
}

SNARL_HOOK int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_point() : nullptr;
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr) return real().pthread_timedjoin_np(handle, result, time);
  return join_until(*self, *target, CLOCK_REALTIME, time, result, SNARL_PC);
}

SNARL_HOOK int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t id, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_point() : nullptr;
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr) return real().pthread_clockjoin_np(handle, result, id, time);
  return join_until(*self, *target, id, time, result, SNARL_PC);
}

// libc unwinds the stack (cleanup handlers, C++ destructors) to the frame in run_to_end.
SNARL_HOOK void pthread_exit(void* result) {
  if (Thread* self = current) {
    self->result = result;
    self->cancel_off = true;  // cleanup handlers are not cancelled
  }
  real().pthread_exit(result);
  __builtin_unreachable();
}

SNARL_HOOK int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  Thread* target = current == nullptr ? nullptr : thread_of(handle);
  if (target != nullptr && target->ordinal < kMaxThreads) {
    char* label = engine::shared->threads[target->ordinal].label;
    size_t i = 0;
    for (; i + 1 < sizeof wire::Thread::label && name[i] != '\0'; ++i) label[i] = name[i];
    label[i] = '\0';
  }
  return under_way.on_fibers && target != nullptr ? fibers::set_name(*target, name)
                                                  : real().pthread_setname_np(handle, name);
}

}  // namespace snarl::runtime
