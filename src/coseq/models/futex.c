/* The system call futex, on which locks of a program's own and C++'s waits on atomics stand. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "coseq/models/intrinsics.h"

/* A thread that waits has the condition kLaneNever with the futex as its word, until it is woken, and its bits as the
 * second word, of which nothing is asked. */
static long wake(unsigned* word, unsigned long most, unsigned bits) {
  snarl_lane_point(kOpFutexWake, word);
  unsigned long woken = 0;
  for (unsigned slot = 0; slot < LANE->slots && woken < most; ++slot) {
    struct LaneThread* t = THREAD(slot);
    const int waits = t->state == kThreadLives && t->condition == kLaneNever && t->woken == 0;
    if (!waits || t->word != (unsigned)(unsigned long)word || (t->word2 & bits) == 0) continue;
    t->woken = kWokenBySignal;
    ++woken;
  }
  if (woken > 0) snarl_lane_reschedule();
  BARRIER;
  snarl_lane_point(kOpAfter, word);
  return (long)woken;
}

static long wait_at(unsigned* word, unsigned value, unsigned long deadline, unsigned bits) {
  snarl_lane_point(kOpFutexWait, word);
  if (*word != value) {
    errno = EAGAIN;
    return -1;
  }
  struct LaneThread* self = THREAD(SELF);
  snarl_wait_until(deadline);
  BARRIER;
  snarl_lane_await(kOpFutexWoken, word, kLaneNever, word, 0, (void*)(unsigned long)bits);
  const int late = self->woken == kWokenByDeadline;
  self->deadline = 0;
  self->woken = 0;
  BARRIER;
  if (late) errno = ETIMEDOUT;
  return late ? -1 : 0;
}

static unsigned long nanoseconds_of(const struct timespec* time) {
  return (unsigned long)time->tv_sec * 1000000000ul + (unsigned long)time->tv_nsec;
}

long snarl_syscall(long number, const unsigned long* arguments) {
  if (number == SYS_gettid) return 4711 + (long)THREAD(SELF)->ordinal;
  if (number != SYS_futex) snarl_lane_end(kLaneLimit, "the system calls futex and gettid", 0);
  unsigned* word = (unsigned*)arguments[0];
  const struct timespec* time = (const struct timespec*)arguments[3];
  const int operation = (int)arguments[1] & FUTEX_CMD_MASK;
  const int by_bits = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
  const unsigned bits = by_bits ? (unsigned)arguments[5] : FUTEX_BITSET_MATCH_ANY;
  if (bits == 0) {
    errno = EINVAL;
    return -1;
  }
  switch (operation) {
    case FUTEX_WAIT:
      return wait_at(word, (unsigned)arguments[2], time == 0 ? 0 : LANE->now + 1 + nanoseconds_of(time), bits);
    case FUTEX_WAIT_BITSET: { /* until a time of the clock, which begins with the second 1000000000 or with 0 */
      const unsigned long until = time == 0 ? 0 : nanoseconds_of(time) + 1, base = 1000000000000000000ul;
      return wait_at(word, (unsigned)arguments[2], until >= base ? until - base : until, bits);
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(word, (unsigned)arguments[2], bits);
    default: break;
  }
  snarl_lane_end(kLaneLimit, "the futex operations wait and wake, with and without bits", 0);
}
int gettid(void) { return (int)snarl_syscall(SYS_gettid, 0); }
