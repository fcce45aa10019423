// The futex calls that go through libc's syscall(): std::atomic::wait, std::latch,
// std::barrier, std::counting_semaphore, Rust's locks. Other system calls pass.
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/ending.h"
#include "runtime/hook.h"
#include "runtime/parallel/member.h"
#include "runtime/parallel/run.h"
#include "runtime/raw.h"

namespace snarl {
namespace {

struct FutexCall {
  uint32_t* word;
  int operation;
  uint32_t value;
  const timespec* timeout;
  uint32_t bits;

  int command() const { return operation & FUTEX_CMD_MASK; }
};

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
  const clockid_t id = (call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  op.timed = true;
  op.deadline = call.command() == FUTEX_WAIT ? clock::deadline_in(*call.timeout) : clock::deadline_at(id, *call.timeout);
}

long wait(Thread& self, const FutexCall& call, uint64_t pc) {
  Inside inside(self);
  if (call.timeout != nullptr && !clock::is_valid(*call.timeout)) return result_of(-EINVAL);
  Op op{.kind = OpKind::kFutexWait, .object = address_of(call.word), .pc = pc};
  engine::point(self, op);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) return result_of(-EAGAIN);
  if (!engine::conductor().model().enqueue(self.id, op.object)) end_run(self, Turn::kFull);
  op.kind = OpKind::kFutexWoken;
  set_deadline(op, call);
  return result_of(-engine::point(self, op));
}

long wake(Thread& self, const FutexCall& call, uint64_t pc) {
  Inside inside(self);
  const Op op{.kind = OpKind::kFutexWake, .object = address_of(call.word), .value = call.value, .pc = pc};
  const long woken = engine::point(self, op);
  engine::point_after(self, op);
  return woken;
}

bool is_wait(int command) { return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET; }
bool is_wake(int command) { return command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET; }

}  // namespace

// Programs call this with any number of arguments up to six.
SNARL_HOOK long syscall(long number, ...) noexcept {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  Thread* self = number == SYS_futex ? at_point() : nullptr;
  if (self != nullptr) {
    const FutexCall call{reinterpret_cast<uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<uint32_t>(a[2]),
                         reinterpret_cast<const timespec*>(a[3]), static_cast<uint32_t>(a[5])};
    const bool any = call.command() == FUTEX_WAIT || call.command() == FUTEX_WAKE || call.bits == FUTEX_BITSET_MATCH_ANY;
    if (any && is_wait(call.command())) return wait(*self, call, SNARL_PC);
    if (any && is_wake(call.command())) return wake(*self, call, SNARL_PC);
    refuse("the program uses a futex operation that snarl does not model (only wait and wake, for all bits)");
  }
  if (number == SYS_futex && parallel::is_on())
    if (Thread* member = parallel::me()) return result_of(parallel::futex(*member, a));
  return result_of(raw::call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

}  // namespace snarl
