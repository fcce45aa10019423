// Semaphores: libc's trywait, and a place on a list when that fails.
#include <errno.h>
#include <semaphore.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {
namespace {

// As the rest of ours: 0, EBUSY if there is no unit, or another errno.
int try_unit(sem_t* semaphore) {
  const int before = errno;
  const int error = libc().sem_trywait(semaphore) == 0 ? 0 : (errno == EAGAIN ? EBUSY : errno);
  errno = before;
  return error;
}

int result_of(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int wait_until(sem_t* semaphore, Time until) {
  Thread& self = *current;
  arrive(self, OpKind::kSemWait, semaphore, self.caller);
  const int error = acquire(
      self, semaphore, [=] { return try_unit(semaphore); }, until, Cancels::kYes);
  note(self, error == ETIMEDOUT);
  return result_of(error);
}

int wait(sem_t* semaphore) { return me() == nullptr ? libc().sem_wait(semaphore) : wait_until(semaphore, kNever); }

int clock_wait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (me() == nullptr) return libc().sem_clockwait(semaphore, clock, time);
  if (!is_valid(*time)) return result_of(EINVAL);
  const Time until = time_at(clock, *time);
  return wait_until(semaphore, until);
}

int timed_wait(sem_t* semaphore, const timespec* time) { return clock_wait(semaphore, CLOCK_REALTIME, time); }

int try_wait(sem_t* semaphore) {
  Thread* self = me();
  if (self == nullptr) return libc().sem_trywait(semaphore);
  arrive(*self, OpKind::kSemTryWait, semaphore, self->caller);
  const int result = libc().sem_trywait(semaphore);
  note(*self);
  return result;
}

// The one function of these that a signal handler may call, even one that interrupts us at the desk.
int post(sem_t* semaphore) {
  Thread* self = me();
  if (self == nullptr) {
    const int result = libc().sem_post(semaphore);
    if (current != nullptr) note_missed_post();
    return result;
  }
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kSemPost, semaphore, pc);
  note_giving(*self);
  const int result = libc().sem_post(semaphore);
  offer(*self, semaphore);
  arrive_after(*self, OpKind::kSemPost, semaphore, pc);
  return result;
}

int init(sem_t* semaphore, int shared, unsigned value) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kSemInit, semaphore, self->caller);
    note(*self);
  }
  return libc().sem_init(semaphore, shared, value);
}

int destroy(sem_t* semaphore) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kSemDestroy, semaphore, self->caller);
    note(*self);
  }
  return libc().sem_destroy(semaphore);
}

}  // namespace

void install_semaphores(Real& table) {
  table.sem_wait = wait;
  table.sem_timedwait = timed_wait;
  table.sem_clockwait = clock_wait;
  table.sem_trywait = try_wait;
  table.sem_post = post;
  table.sem_init = init;
  table.sem_destroy = destroy;
}

}  // namespace snarl::runtime::parallel
