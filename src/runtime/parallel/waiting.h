// How threads of a parallel run wait: for an object, for their turn, for time, for the kernel.
#pragma once

#include <errno.h>

#include "runtime/parallel/desk.h"
#include "runtime/parallel/lists.h"

namespace snarl::runtime::parallel {

// Blocked: sleeps until woken (true) or until the deadline (false); the thread may go on then.
bool sleep(Thread& self);
// The same for one that only time can wake.
void sleep_until(Thread& self, Time until);
// Not enabled for so long, by the machine's clock.
void give_way_for(Thread& self, uint64_t nanoseconds);

// One more round of a loop that seems to wait, by atomics or pthread_testcancel alone: it gives way as one of
// yields does, now and then.
void count_round(Thread& self);

// The step of a low thread is over: waits until it may take another. `fair`: first, one that starves has a step.
void rest(Thread& self, bool fair);

// A new low thread, which is inside until then, waits for its first step.
void await_admission(Thread& self);

// After Desk::has_to_wait().
void wait_for_gate(Thread& self);

// Around a call that may wait in the kernel: meanwhile the thread is not enabled.
void go_outside(Thread& self);
void come_back(Thread& self);
class Outside {
 public:
  explicit Outside(Thread& self);
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Thread& self_;
};

// Has somebody cancelled the calling thread, and does it allow that?
bool is_asked_to_end(const Thread& self);
// A cancellation point: if so, libc unwinds the stack. Returns then only if that is under way already.
void end_if_asked(Thread& self);

enum class Cancels { kNo, kYes };  // is it a cancellation point?

// Blocked, unless the thread is to end. False: it is.
inline bool block_unless_asked(Desk& desk, Thread& self, Time until) {
  if (is_asked_to_end(self)) {
    desk.withdraw();
    return false;
  }
  member_of(self).ends_wait = true;
  desk.block_timed(until);
  return true;
}

// Tries until the answer is not EBUSY. ETIMEDOUT after the deadline.
template <typename Try>
int acquire(Thread& self, const void* object, Try&& try_it, Time until = kNever, Cancels cancels = Cancels::kNo) {
  for (;;) {
    if (cancels == Cancels::kYes) end_if_asked(self);
    int result = try_it();
    if (result != EBUSY) return result;
    bool blocked = true;
    {
      Desk desk(self);
      desk.enlist(object);
      result = try_it();  // whoever gives it away from now on finds us listed
      if (result != EBUSY) {
        desk.withdraw();
        return result;
      }
      if (cancels == Cancels::kYes)
        blocked = block_unless_asked(desk, self, until);
      else
        desk.block_timed(until);
    }
    if (!blocked || sleep(self)) continue;
    result = try_it();
    return result == EBUSY ? ETIMEDOUT : result;
  }
}

// After `object` was given away.
inline void offer(Thread& self, const void* object) {
  if (anybody_listed(object)) Desk(self).wake_one(object);
}
inline void offer_to_all(Thread& self, const void* object) {
  if (anybody_listed(object)) Desk(self).wake_all(object);
}

}  // namespace snarl::runtime::parallel
