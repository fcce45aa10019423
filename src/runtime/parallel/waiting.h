// How threads of a parallel run wait: for an object, for their turn, for time, for the kernel.
#pragma once

#include <errno.h>

#include "runtime/parallel/desk.h"
#include "runtime/parallel/lists.h"

namespace snarl::parallel {

// Blocked: sleeps until woken (true) or until the deadline (false); the thread may go on then.
bool sleep(Thread& self);
// The same for one that only time can wake.
void sleep_until(Thread& self, Time until);
// Not enabled for so long, by the machine's clock.
void give_way_for(Thread& self, uint64_t nanoseconds);

// The step of a low thread is over: waits until it may take another.
void rest(Thread& self);

// A new low thread waits for its first step.
void await_admission(Thread& self);

// A call that may wait in the kernel: meanwhile the thread is not enabled.
class Outside {
 public:
  explicit Outside(Thread& self);
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Thread& self_;
};

// Tries until the answer is not EBUSY. ETIMEDOUT after the deadline.
template <typename Try>
int acquire(Thread& self, const void* object, Try&& try_it, Time until = kNever) {
  for (;;) {
    int result = try_it();
    if (result != EBUSY) return result;
    {
      Desk desk(self);
      desk.enlist(object);
      result = try_it();  // whoever gives it away from now on finds us listed
      if (result != EBUSY) {
        desk.withdraw();
        return result;
      }
      desk.block_timed(until);
    }
    if (sleep(self)) continue;
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

}  // namespace snarl::parallel
