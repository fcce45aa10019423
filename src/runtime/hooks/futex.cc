// The futex calls that go through libc's syscall(): std::atomic::wait, std::latch,
// std::barrier, std::counting_semaphore, Rust's locks. Other system calls pass.
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/parallel/member.h"
#include "runtime/parallel/run.h"
#include "runtime/platform/futex_call.h"
#include "runtime/platform/futex_op.h"
#include "runtime/platform/raw.h"
#include "runtime/run/ending.h"
#include "runtime/run/point.h"
#include "runtime/simulated/child.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"
#include "runtime/state/refuse.h"

namespace snarl::runtime {
namespace {

constexpr uint32_t kAllBits = kAllFutexBits;

long result_of(long kernel) {
  if (kernel >= -4095 && kernel < 0) {
    errno = static_cast<int>(-kernel);
    return -1;
  }
  return kernel;
}

// A relative time for FUTEX_WAIT, a point in time for FUTEX_WAIT_BITSET.
void set_deadline(Op& op, const FutexCall& call) {
  if (call.timeout == nullptr) return;
  op.timed = true;
  op.deadline = call.command() == FUTEX_WAIT ? clock::deadline_in(*call.timeout)
                                             : clock::deadline_at(call.clock(), *call.timeout);
}

long wait(Thread& self, const FutexCall& call, uint32_t bits, uint64_t pc) {
  if (bits == 0 || (call.timeout != nullptr && !clock::is_valid(*call.timeout))) return -EINVAL;
  Op op{.kind = OpKind::kFutexWait, .object = address_of(call.word), .pc = pc};
  engine::point(self, op);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) return -EAGAIN;
  if (!engine::conductor().model().enqueue(self.id, op.object)) end_run(self, conduct::Turn::kFull);
  op.kind = OpKind::kFutexWoken;
  op.value = futex_value(0, bits);
  op.interrupts = Interrupts::kUnlessRestart;
  set_deadline(op, call);
  int error;
  do error = engine::point(self, op);
  while (error == ERESTART);
  return -error;
}

long wake(Thread& self, const FutexCall& call, uint32_t bits, uint64_t pc) {
  if (bits == 0) return -EINVAL;
  const Op op{
      .kind = OpKind::kFutexWake, .object = address_of(call.word), .value = futex_value(call.value, bits), .pc = pc};
  const long woken = engine::point(self, op);
  engine::point_after(self, op);
  return woken;
}

// With a comparison, nobody may have been moved if the word is another than expected: the step itself moves none,
// and as nobody runs between it and the look, what follows is part of it.
long requeue(Thread& self, const FutexCall& call, uint64_t pc) {
  if (static_cast<int>(call.value) < 0 || static_cast<int>(call.value2) < 0) return -EINVAL;
  Op op{.kind = OpKind::kFutexRequeue, .object = address_of(call.word), .second = address_of(call.word2), .pc = pc};
  if (call.command() == FUTEX_REQUEUE) {
    op.value = futex_value(call.value, call.value2);
    const long moved = engine::point(self, op);
    engine::point_after(self, op);
    return moved;
  }
  engine::point(self, op);  // moves and wakes none
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value3) return -EAGAIN;
  const long moved = engine::conductor().model().requeue(op.object, op.second, call.value, call.value2);
  engine::point_after(self, op);
  return moved;
}

// Changes one word, wakes at the other, and by what the word was also there.
long wake_op(Thread& self, const FutexCall& call, uint64_t pc) {
  if (!futex_op::is_known(call.value3)) return -ENOSYS;
  const Op op{.kind = OpKind::kFutexWake,
              .object = address_of(call.word),
              .value = futex_value(call.value, kAllBits),
              .pc = pc};
  long woken = engine::point(self, op);
  const uint32_t before = futex_op::change(call.word2, call.value3);
  if (futex_op::holds(before, call.value3))
    woken += engine::conductor().model().wake_futex(address_of(call.word2), call.value2, kAllBits);
  engine::point_after(self, op);
  return woken;
}

long perform(Thread& self, const FutexCall& call, uint64_t pc) {
  Inside inside(self);
  switch (call.command()) {
    case FUTEX_WAIT: return wait(self, call, kAllBits, pc);
    case FUTEX_WAIT_BITSET: return wait(self, call, call.value3, pc);
    case FUTEX_WAKE: return wake(self, call, kAllBits, pc);
    case FUTEX_WAKE_BITSET: return wake(self, call, call.value3, pc);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return requeue(self, call, pc);
    case FUTEX_WAKE_OP: return wake_op(self, call, pc);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
      refuse(
          "the program uses a priority-inheriting futex by itself (FUTEX_LOCK_PI or the like), which snarl does not "
          "model");
    default: return -ENOSYS;
  }
}

}  // namespace

// Programs call this with any number of arguments up to six.
SNARL_HOOK long syscall(long number, ...) noexcept {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex)
    if (Thread* self = at_point()) return result_of(perform(*self, FutexCall(a), SNARL_PC));
  if (number == SYS_gettid) return gettid();
  if (number == SYS_clone || number == SYS_clone3) return result_of(clone_by_call(number, a, SNARL_PC));
  if (number == SYS_fork) return fork();
  if (number == SYS_futex_waitv && at_point() != nullptr)
    refuse("the program waits for several futexes at once (futex_waitv), which snarl does not model");
  if (number == SYS_futex && runs_in_parallel())
    if (Thread* member = parallel::me()) return result_of(parallel::futex(*member, FutexCall(a)));
  return result_of(raw::call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

}  // namespace snarl::runtime
