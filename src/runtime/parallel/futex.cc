// The program's own futexes, through libc's syscall(): std::atomic::wait and its like.
#include <errno.h>
#include <linux/futex.h>

#include "runtime/ending.h"
#include "runtime/parallel/waiting.h"
#include "runtime/parallel/run.h"

namespace snarl::parallel {
namespace {

struct Call {
  uint32_t* word;
  int operation;
  uint32_t value;
  const timespec* timeout;
  uint32_t bits;

  int command() const { return operation & FUTEX_CMD_MASK; }
};

// A relative time for FUTEX_WAIT, a point in time for FUTEX_WAIT_BITSET.
Time deadline_of(const Call& call) {
  if (call.timeout == nullptr) return kNever;
  if (call.command() == FUTEX_WAIT) return time_in(*call.timeout);
  return time_at((call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, *call.timeout);
}

// As the kernel: compared and listed in one.
bool compare_and_list(Thread& self, const Call& call, uint64_t pc) {
  Desk desk(self);
  desk.enlist(call.word);
  note(self);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) {
    desk.withdraw();
    return false;
  }
  publish(member_of(self), OpKind::kFutexWoken, call.word, pc);
  desk.block_timed(deadline_of(call));
  return true;
}

long wait(Thread& self, const Call& call) {
  const uint64_t pc = self.caller;
  arrive(self, OpKind::kFutexWait, call.word, pc);
  if (!compare_and_list(self, call, pc)) return -EAGAIN;
  const bool woken = sleep(self);
  arrive(self, OpKind::kFutexWoken, call.word, pc);
  note(self, !woken);
  return woken ? 0 : -ETIMEDOUT;
}

long wake(Thread& self, const Call& call) {
  const uint64_t pc = self.caller;
  arrive(self, OpKind::kFutexWake, call.word, pc);
  note(self);
  long woken = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // the program's store to the word, then the look at the list
  if (anybody_listed(call.word)) {
    Desk desk(self);
    note_again(self);
    woken = desk.signal(call.word, call.value);
  }
  arrive_after(self, OpKind::kFutexWake, call.word, pc);
  return woken;
}

}  // namespace

long futex(Thread& self, const long (&a)[6]) {
  const Call call{reinterpret_cast<uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<uint32_t>(a[2]),
                  reinterpret_cast<const timespec*>(a[3]), static_cast<uint32_t>(a[5])};
  const bool any_bits = call.bits == FUTEX_BITSET_MATCH_ANY;
  if (call.command() == FUTEX_WAIT || (call.command() == FUTEX_WAIT_BITSET && any_bits)) return wait(self, call);
  if (call.command() == FUTEX_WAKE || (call.command() == FUTEX_WAKE_BITSET && any_bits)) return wake(self, call);
  refuse("the program uses a futex operation that parallel runs do not have (only wait and wake, for all bits): use a serial policy");
}

}  // namespace snarl::parallel
