// Semaphores. The program's own object holds the value; the model decides who takes a unit.
#include <errno.h>
#include <semaphore.h>

#include "runtime/hooks/await.h"
#include "runtime/run/cancel.h"
#include "runtime/run/point.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"
#include "runtime/truth/misuse.h"
#include "runtime/truth/misuse_truth.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

uint64_t value_of(sem_t* semaphore) {
  int value = 0;
  sem_getvalue(semaphore, &value);
  return value > 0 ? static_cast<uint64_t>(value) : 0;
}

Op semaphore_op(OpKind kind, sem_t* semaphore, uint64_t pc) {
  return Op{.kind = kind, .object = address_of(semaphore), .value = value_of(semaphore), .pc = pc};
}

int failed(int error) {
  errno = error;
  return -1;
}

// Of glibc's layout: not zero if other processes may use it, as they may use a named one.
bool is_process_shared(const sem_t* semaphore) { return reinterpret_cast<const int*>(semaphore)[2] != 0; }

bool has_unit(const Readiness& readiness) {
  return value_of(const_cast<sem_t*>(static_cast<const sem_t*>(readiness.data))) > 0;
}

// Another process may post, and it may take what was there when we looked.
int take_from_outside(Thread& self, sem_t* semaphore, const Op& op) {
  const Readiness unit{.ready = has_unit, .data = semaphore};
  do
    if (const int error = await(self, unit, op.pc, op.timed, op.deadline)) return failed(error);
  while (real().sem_trywait(semaphore) != 0);
  return 0;
}

// The value at the time of the grant is what counts for a try.
int take_unit(Thread& self, sem_t* semaphore, Op op) {
  if (is_shared(is_process_shared(semaphore))) return take_from_outside(self, semaphore, op);
  int error;
  op.interrupts = Interrupts::kUnlessRestart;
  do {
    op.value = value_of(semaphore);
    error = cancel::point(self, op);
  } while (error == ERESTART);
  return error != 0 ? failed(error) : real().sem_trywait(semaphore);
}

int timed_wait(Thread& self, sem_t* semaphore, clockid_t id, const timespec& time, uint64_t pc) {
  Inside inside(self);
  if (!clock::can_wait(id) || !clock::is_valid(time)) return failed(EINVAL);
  Op op = semaphore_op(OpKind::kSemWait, semaphore, pc);
  op.timed = true;
  op.deadline = clock::deadline_at(id, time);
  return take_unit(self, semaphore, op);
}

}  // namespace

SNARL_HOOK int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  unmark(semaphore);
  Thread* self = at_point();
  if (self == nullptr) return real().sem_init(semaphore, shared, value);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kSemInit, .object = address_of(semaphore), .pc = SNARL_PC});
  return real().sem_init(semaphore, shared, value);
}

SNARL_HOOK int sem_destroy(sem_t* semaphore) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().sem_destroy(semaphore);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kSemDestroy, .object = address_of(semaphore), .pc = SNARL_PC});
  const int result = real().sem_destroy(semaphore);
  if (result == 0) mark_destroyed(semaphore);
  return result;
}

SNARL_HOOK int sem_wait(sem_t* semaphore) {
  Thread* self = at_point();
  if (self == nullptr) return real().sem_wait(semaphore);
  Inside inside(*self);
  return take_unit(*self, semaphore, semaphore_op(OpKind::kSemWait, semaphore, SNARL_PC));
}

SNARL_HOOK int sem_trywait(sem_t* semaphore) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().sem_trywait(semaphore);
  Inside inside(*self);
  const Op op = semaphore_op(OpKind::kSemTryWait, semaphore, SNARL_PC);
  engine::point(*self, op);
  const int result = real().sem_trywait(semaphore);
  engine::conductor().model().set_semaphore(op.object, value_of(semaphore));  // it may have changed since we asked
  return result;
}

SNARL_HOOK int sem_timedwait(sem_t* semaphore, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_point() : nullptr;
  if (self == nullptr) return real().sem_timedwait(semaphore, time);
  return timed_wait(*self, semaphore, CLOCK_REALTIME, *time, SNARL_PC);
}

SNARL_HOOK int sem_clockwait(sem_t* semaphore, clockid_t id, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_point() : nullptr;
  if (self == nullptr) return real().sem_clockwait(semaphore, id, time);
  return timed_wait(*self, semaphore, id, *time, SNARL_PC);
}

SNARL_HOOK int sem_post(sem_t* semaphore) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().sem_post(semaphore);
  Inside inside(*self);
  const Op op = semaphore_op(OpKind::kSemPost, semaphore, SNARL_PC);
  engine::point(*self, op);
  const int result = real().sem_post(semaphore);
  if (result != 0 && errno == EOVERFLOW)
    note_misuse({.kind = MisuseKind::kSemaphoreOverflow,
                 .op = op.kind,
                 .thread = self->ordinal,
                 .object = op.object,
                 .pc = op.pc});
  engine::conductor().model().set_semaphore(op.object, value_of(semaphore));
  engine::point_after(*self, op);
  return result;
}

}  // namespace snarl::runtime
