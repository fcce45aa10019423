// Where threads of a parallel run go when they can't go on at once: who is enabled, who is
// listed for which object, and whose gate is opened.
//
// One short lock for all of it: only contended operations, low threads and those who find
// somebody listed come here.
#pragma once

#include "conduct/crew.h"
#include "runtime/parallel/member.h"

namespace snarl::parallel {

// Is anybody listed for an object like this? One load; exact enough after an atomic operation on the
// object itself, because those who list themselves look at the object again afterwards.
bool anybody_listed(const void* object);

// The lock, held by the thread that makes this. While it is held, the thread's calls are no points.
class Desk {
 public:
  explicit Desk(Thread& self);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  Crew& crew();

  // Lists the calling thread for `object`; with `then`, for a condition variable whose waiters need that mutex next.
  void enlist(const void* object, const void* then = nullptr);
  void withdraw();

  // The calling thread can't go on, before that time. Ends the run if now nobody ever can.
  void block(Time until = kNever);
  // The same in a timed wait, whose deadline may come before time skips to it.
  void block_timed(Time until);
  void block_outside();
  // The calling thread can go on again. True if it may at once; else it has to sleep at its gate.
  bool unblock();

  // One thread that is listed for `object` may try again: a high one, or all low ones if there is no high one.
  void wake_one(const void* object);
  void wake_all(const void* object);
  // At most `count` of those listed for the condition variable or futex, high ones first; they need `then` next.
  int signal(const void* object, uint64_t count);

  // Is somebody listed for `object` who is about to do `kind`?
  bool is_listed(const void* object, OpKind kind);

  // Lets the low thread go that may, if any.
  void admit();

  // Ends the run if nobody can ever go on.
  void end_if_stuck();

  // Lets the earliest deadline come, unless somebody waits for something outside.
  void skip_time();

 private:
  void enable(Member& member);
  Member* first_listed(const void* object, bool low);
  void hand_on(Member& member);

  Thread& self_;
};

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

// A semaphore was posted by a signal handler that interrupted us here: look at all lists again.
void note_missed_post();

// Without the lock: right for the calling thread itself, and for a last look.
int live_count();
bool is_enabled(ThreadId t);

void begin_desk(const Plan& plan, Rng starving);

}  // namespace snarl::parallel
