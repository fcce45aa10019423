// The program's own futexes, through libc's syscall(): std::atomic::wait and its like.
#include <errno.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/futex_op.h"
#include "runtime/state/refuse.h"

namespace snarl::runtime::parallel {
namespace {

// A relative time for FUTEX_WAIT, a point in time for FUTEX_WAIT_BITSET.
Time deadline_of(const FutexCall& call) {
  if (call.timeout == nullptr) return kNever;
  return call.command() == FUTEX_WAIT ? time_in(*call.timeout) : time_at(call.clock(), *call.timeout);
}

// As the kernel: compared and listed in one.
bool compare_and_list(Thread& self, const FutexCall& call, uint32_t bits, uint64_t pc) {
  Desk desk(self);
  desk.enlist(call.word, nullptr, bits);
  note(self);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) {
    desk.withdraw();
    return false;
  }
  publish(member_of(self), Op{.kind = OpKind::kFutexWoken, .object = reinterpret_cast<uint64_t>(call.word), .pc = pc});
  desk.block_timed(deadline_of(call));
  return true;
}

long wait(Thread& self, const FutexCall& call, uint32_t bits) {
  if (bits == 0 || (call.timeout != nullptr && !is_valid(*call.timeout))) return -EINVAL;
  const uint64_t pc = self.caller;
  arrive(self, OpKind::kFutexWait, call.word, pc);
  if (!compare_and_list(self, call, bits, pc)) return -EAGAIN;
  const bool woken = sleep(self);
  arrive(self, OpKind::kFutexWoken, call.word, pc);
  note(self, !woken);
  return woken ? 0 : -ETIMEDOUT;
}

// A step at which others may be woken: `wake` is called with the desk locked, if anybody is listed or if it must be.
template <typename Wake>
long waking(Thread& self, OpKind kind, const FutexCall& call, bool always, Wake&& wake) {
  const uint64_t pc = self.caller;
  arrive(self, kind, call.word, pc);
  note(self);
  long result = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // the program's store to the word, then the look at the list
  if (always || anybody_listed(call.word)) {
    Desk desk(self);
    note_again(self);
    result = wake(desk);
  }
  if (result >= 0) arrive_after(self, kind, call.word, pc);
  return result;
}

long wake(Thread& self, const FutexCall& call, uint32_t bits) {
  if (bits == 0) return -EINVAL;
  return waking(self, OpKind::kFutexWake, call, false,
                [&](Desk& desk) { return desk.signal(call.word, call.value, bits); });
}

long requeue(Thread& self, const FutexCall& call) {
  if (static_cast<int>(call.value) < 0 || static_cast<int>(call.value2) < 0) return -EINVAL;
  return waking(self, OpKind::kFutexRequeue, call, true, [&](Desk& desk) -> long {
    const bool compares = call.command() == FUTEX_CMP_REQUEUE;
    if (compares && __atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value3) return -EAGAIN;
    const long woken = desk.signal(call.word, call.value);
    return woken + desk.requeue(call.word, call.word2, call.value2);
  });
}

// Changes one word, wakes at the other, and by what the word was also there.
long wake_op(Thread& self, const FutexCall& call) {
  if (!futex_op::is_known(call.value3)) return -ENOSYS;
  return waking(self, OpKind::kFutexWake, call, true, [&](Desk& desk) -> long {
    const uint32_t before = futex_op::change(call.word2, call.value3);
    const long woken = desk.signal(call.word, call.value);
    return woken + (futex_op::holds(before, call.value3) ? desk.signal(call.word2, call.value2) : 0);
  });
}

}  // namespace

long futex(Thread& self, const FutexCall& call) {
  switch (call.command()) {
    case FUTEX_WAIT: return wait(self, call, kAllFutexBits);
    case FUTEX_WAIT_BITSET: return wait(self, call, call.value3);
    case FUTEX_WAKE: return wake(self, call, kAllFutexBits);
    case FUTEX_WAKE_BITSET: return wake(self, call, call.value3);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return requeue(self, call);
    case FUTEX_WAKE_OP: return wake_op(self, call);
    case FUTEX_FD: return -ENOSYS;
    default: refuse("the program uses a priority-inheriting futex by itself, which parallel runs do not have");
  }
}

}  // namespace snarl::runtime::parallel
