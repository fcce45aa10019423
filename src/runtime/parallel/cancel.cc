// Cancellation, of the deferred type. libc is told of each request and unwinds the stack; where a thread
// waits at the desk, it is let go and asks libc itself; where it waits in the kernel, libc interrupts it.
#include "runtime/parallel/run.h"
#include "runtime/parallel/threads.h"
#include "runtime/parallel/waiting.h"
#include "runtime/state/refuse.h"

namespace snarl::runtime::parallel {
namespace {

// Null: libc's to answer.
Thread* target_of(Thread& self, pthread_t handle) {
  Desk desk(self);
  Thread* target = thread_of(handle);
  return target != nullptr && occupied().has(target->id) ? target : nullptr;
}

void ask(Thread& self, Thread& target) {
  Desk desk(self);
  note_again(self);
  desk.ask_to_end(member_of(target));
}

// libc must know of the request before the thread asks.
int cancel(pthread_t handle) {
  Thread* self = me();
  Thread* target = self == nullptr ? nullptr : target_of(*self, handle);
  if (target == nullptr) return libc().pthread_cancel(handle);
  if (target->cancel_anywhere)
    refuse(
        "the program cancels a thread of the asynchronous type, which parallel runs can't do: use a serial policy "
        "(random, pct, pos)");
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kCancel, nullptr, pc);
  note(*self);
  const int error = libc().pthread_cancel(handle);
  if (error == 0) ask(*self, *target);
  arrive_after(*self, OpKind::kCancel, nullptr, pc);
  return error;
}

void test_cancel() {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_testcancel();
  arrive(*self, OpKind::kTestCancel, nullptr, self->caller);
  end_if_asked(*self);
  count_round(*self);
  note(*self);
}

}  // namespace

bool is_asked_to_end(const Thread& self) {
  return __atomic_load_n(&member_of(self).asked_to_end, __ATOMIC_ACQUIRE) && !self.cancel_off;
}

void end_if_asked(Thread& self) {
  if (!is_asked_to_end(self)) return;
  self.cancel_off = true;
  libc().pthread_testcancel();
}

void install_cancel(Real& table) {
  table.pthread_cancel = cancel;
  table.pthread_testcancel = test_cancel;
}

}  // namespace snarl::runtime::parallel
