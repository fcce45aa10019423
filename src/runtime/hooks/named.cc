#include "runtime/hooks/named.h"

#include <cerrno>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/text.h"
#include "runtime/run/point.h"
#include "runtime/run/points.h"
#include "runtime/state/state.h"

namespace snarl::runtime::patch {
namespace {

// The outermost call of a lock of the program's own that each thread is in. The model performs it at its entry, and
// from then until it returns the thread reaches no point but those of libc's calls: so what the lock's own words say
// and what the model says are the same whenever there is a switch. `slot`, the address of its return address, tells it
// from other calls: stacks grow down, so a call that is not below it shows that it was left, by an exception or
// longjmp.
struct Call {
  uint64_t slot = 0;
  uint64_t lock = 0;
  bool succeeded = false;  // in the model
};
SNARL_LARGE Call calls[kMaxThreads];

SNARL_PROCESS_STATE bool has_readers =
    false;  // then all of these are read-write locks to the model, as nobody knows which are

uint64_t argument_of(const Registers& r, uint8_t number) {
  const uint64_t all[] = {r.rdi, r.rsi, r.rdx, r.rcx, r.r8, r.r9};
  return number >= 1 && number <= 6 ? all[number - 1] : 0;
}

OpKind kind_of(FunctionUse use) {
  switch (use) {
    case FunctionUse::kTryLock: return has_readers ? OpKind::kTryWriteLock : OpKind::kTryLock;
    case FunctionUse::kUnlock: return has_readers ? OpKind::kRwUnlock : OpKind::kUnlock;
    case FunctionUse::kReadLock: return OpKind::kReadLock;
    case FunctionUse::kTryReadLock: return OpKind::kTryReadLock;
    default: return has_readers ? OpKind::kWriteLock : OpKind::kLock;
  }
}

Op operation(FunctionUse use, uint64_t lock, uint64_t pc) {
  return Op{.kind = kind_of(use), .shape = LockShape::kOwn, .object = lock, .pc = pc};
}

// True: it succeeded.
bool lock_point(Thread& self, const Op& op) {
  const int kept = errno;
  Inside inside(self);
  const int error = engine::point(self, op);
  errno = kept;
  return error == 0;
}

void point_after(Thread& self, const Op& op) {
  const int kept = errno;
  Inside inside(self);
  engine::point_after(self, op);
  errno = kept;
}

void enter(Thread& self, const Point& point, uint64_t slot, uint64_t lock) {
  if (slot < self.uninterrupted) return;  // how a lock is made is its own affair
  quiet::stop(self);
  self.uninterrupted = slot;
  calls[self.id] = {slot, lock, lock_point(self, operation(point.named.use, lock, point.pc))};
}

// Code that nobody described may hold the lock, or have given it back.
void settle_try(Thread& self, const Point& point, const Call& call, bool succeeded) {
  if (call.succeeded == succeeded) return;
  model::Model& model = engine::conductor().model();
  if (succeeded) has_readers ? model.forget_rwlock(call.lock) : model.forget_mutex(call.lock);
  const FunctionUse taking = point.named.use == FunctionUse::kTryReadLock ? FunctionUse::kReadLock : FunctionUse::kLock;
  lock_point(self, operation(succeeded ? taking : FunctionUse::kUnlock, call.lock, point.pc));
}

void leave(Thread& self, const Point& point, uint64_t slot, uint64_t result) {
  const Call& call = calls[self.id];
  if (self.uninterrupted != slot || call.slot != slot) return;
  self.uninterrupted = 0;
  const bool is_zero = (result & 0xff) == 0;  // all that is defined of a bool
  if (point.named.use == FunctionUse::kUnlock) point_after(self, operation(FunctionUse::kUnlock, call.lock, point.pc));
  if (is_try(point.named.use)) settle_try(self, point, call, is_zero == point.named.zero_succeeds);
  if (self.inside == 0) quiet::go(self);
}

}  // namespace

void begin_named() {
  for (const char* at = engine::shared->options.functions; *at != '\0'; ++at)
    if (begins_with(at, "read-lock: ")) has_readers = true;
}

void at_named(const Registers& registers, const Point& point) {
  const uint64_t slot = stack_pointer(registers);
  if (point.named.use == FunctionUse::kPoint) return function_point(point.pc, *reinterpret_cast<const uint64_t*>(slot));
  Thread* self = current;
  if (self == nullptr || self->inside != self->outermost || runs_in_parallel()) return;
  if (point.named.begins) enter(*self, point, slot, argument_of(registers, point.named.argument));
  if (point.named.returns) leave(*self, point, slot, registers.rax);
}

}  // namespace snarl::runtime::patch
